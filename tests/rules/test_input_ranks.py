"""How many dimensions an input has, as far as the code of a function says so."""

from __future__ import annotations

import ast

import pytest
from exportdb_rules.input_ranks import ranks_of_inputs

from ..programs import block
from .conftest import Checker

LEARNED: dict[str, tuple[str, dict[str, int]]] = {
    "unpacked": ("b, n, d = x.shape", {"x": 3}),
    "unpacked from size()": ("b, n = y.size()", {"y": 2}),
    "unpacked beside others": ("b, n, d, device = *x.shape, x.device", {"x": 3}),
    "permuted": ("z = x.permute(0, 2, 1).contiguous()", {"x": 3}),
    "permuted by a tuple": ("return self.layer(x.permute((0, -1, 1, 2)))", {"x": 4}),
    "a pattern": ("z = rearrange(x, 'b n (h d) -> b h n d', h=4)", {"x": 3}),
    "a pattern with ones": ("z = repeat(x, 'b () d -> b n d', n=3)", {"x": 3}),
    "an equation": ("z = torch.einsum('bid,bj->bij', x, y)", {"x": 3, "y": 2}),
    "an equation of einops": ("z = einsum(x, y, 'batch i d, batch j d -> batch i j')", {"x": 3, "y": 3}),
    "asserted": ("assert x.ndim == 3\nassert len(y.shape) == 2", {"x": 3, "y": 2}),
    "computed from both": ("z = x * y + (1 - y)\nb, n, d = z.shape", {"x": 3, "y": 3}),
    "in a with": ("with torch.no_grad():\n    b, n = x.shape", {"x": 2}),
    "the first use": ("b, n = x.shape\nx = x[None]\nb, n, d = x.shape", {"x": 2}),
    "on one path": ("if x.ndim == 3:\n    b, n, d = x.shape", {}),
    "in a conditional": ("z = x.permute(0, 2, 1) if y is None else y", {}),
    "of what it was bound to": ("x = self.layer(x)\nb, n, d = x.shape", {}),
    "bound on one path": ("if y is None:\n    x = x[None]\nb, n, d = x.shape", {}),
    "with an ellipsis": ("z = rearrange(x, 'b ... d -> b d ...')", {}),
    "the rest": ("b, *others = x.shape", {}),
    "of a part": ("b, n = x[0].shape", {}),
    "of a layer": ("z = self.layer(x) * y\nb, n, d = z.shape", {}),
    "in a function": ("def inner():\n    b, n = x.shape", {}),
}


@pytest.mark.parametrize("name", LEARNED)
def test_a_rank_is_learned_from_what_runs_in_every_call(name: str) -> None:
    body, expected = LEARNED[name]
    (function,) = ast.parse(f"def forward(self, x, y):\n{_indented(body)}").body
    assert isinstance(function, ast.FunctionDef)
    assert ranks_of_inputs(function, {"x", "y"}) == expected


def _indented(body: str) -> str:
    return "\n".join(f"    {line}" for line in block(body).splitlines())


def test_a_size_that_eager_takes_alone_is_no_finding(check_text: Checker) -> None:
    text = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 4)

        def forward(self, x, y):
            b, n, d = x.shape
            return self.layer(x) + self.layer(y).sum() + torch.ones(4)
    """
    assert not check_text(block(text), dynamic="all").findings
