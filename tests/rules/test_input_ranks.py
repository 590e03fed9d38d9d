"""How many dimensions an input has, as far as the code of a function says so."""

from __future__ import annotations

import pytest
from exportdb_rules.interpreter import ranks

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
    "bound on one path": ("if self.layer:\n    x = x[None]\nb, n, d = x.shape", {}),
    "with an ellipsis": ("z = rearrange(x, 'b ... d -> b d ...')", {}),
    "the rest": ("b, *others = x.shape", {}),
    "of a part": ("b, n = x[0].shape", {"x": 3}),
    "of a layer": ("z = self.layer(x)\nb, n, d = z.shape", {}),
    "in a function": ("def inner():\n    b, n = x.shape", {}),
    "behind a layer": ("z = self.linear(x)\nb, n, d = z.shape", {"x": 3}),
    "by a layer": ("return self.conv(x)", {"x": 4}),
    "by a recurrent layer": ("out, h = self.rnn(x)\nreturn out + y", {"x": 3, "y": 3}),
    "by a table": ("e = self.table(x)\nreturn torch.cat([e, y], 1).permute(0, 2, 1)", {"x": 2, "y": 3}),
    "split into heads": ("k = self.linear(y).view(x.size(0), -1, 2, 4)", {"y": 3}),
    "an input that is split itself": ("k = y.view(x.size(0), -1, 2, 4)", {}),
    "by an operator": ("return torch.bmm(x, y)", {"x": 3, "y": 3}),
    "joined": ("z = torch.cat([x, y])\nb, c, h, w = z.shape", {"x": 4, "y": 4}),
    "with one more": ("z = x[None]\nb, n, d = z.shape", {"x": 2}),
    "with one less": ("b, n = x[0].shape\nk = y.mean(dim=1)\nn, d = k.shape", {"x": 3, "y": 3}),
    "in a method": ("return self.split(x)", {"x": 3}),
    "in an option": ("if y is not None:\n    b, n = y.shape", {"y": 2}),
    "in a loop": ("for t in range(x.size(1)):\n    y = self.cell(x[:, t], y)", {"x": 3, "y": 2}),
    "computed with what an equation makes": ("z = torch.einsum('bid,bjd->bij', x, x)\nreturn z * y", {"x": 3, "y": 3}),
    "squeezed": ("z = x.squeeze(1)\nb, n = z.shape", {"x": 3}),
    "raised": ("if x.dim() != 3:\n    raise ValueError", {"x": 3}),
    "where it is asked": ("if x.dim() == 2:\n    x = x[None]\nb, n, d = x.shape", {}),
}
MODULE = """
import torch
from einops import einsum, rearrange, repeat
from torch import nn

class Net(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer
        self.linear = nn.Linear(8, 8)
        self.conv = nn.Conv2d(8, 8, 3)
        self.rnn = nn.LSTM(8, 8)
        self.table = nn.Embedding(8, 8)
        self.cell = nn.GRUCell(8, 8)

    def split(self, x):
        b, n, d = x.shape
        return x.view(b, n, 2, d // 2)

    def forward(self, x, y):
"""


@pytest.mark.parametrize("name", LEARNED)
def test_ranks_are_learned_from_what_is_done(name: str, check_text: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    body, expected = LEARNED[name]
    found: list[list[int | None]] = []
    learned = ranks.learned
    monkeypatch.setattr(ranks, "learned", lambda *given: found.append(learned(*given)) or found[-1])
    check_text(f"{MODULE}{_indented(body)}\n", dynamic="all")
    known = {name: rank for name, rank in zip(("x", "y"), found[0], strict=True) if rank is not None}
    assert known == expected


def _indented(body: str) -> str:
    return "\n".join(f"        {line}" for line in block(body).splitlines())


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
