"""The inputs of an export call that fit the signature and that export takes differently all the same."""

from __future__ import annotations

import pytest
from checking import Checker

TEXT = """
import enum
import functools

import torch
from torch.utils._pytree import tree_map_only


class Kind(enum.Enum):
    A = 1


class Plain:
    pass


class Net(torch.nn.Module):
    def forward(self, x, y, **more):
        return x + 1


model = Net()
q = torch.randn(3)
k = q
v = torch.randn(3)
{set_up}
torch.export.export(model, {inputs})
"""


@pytest.mark.parametrize(
    ("inputs", "found"),
    [
        ("(q, {'a': v})", 0),
        ("(q, {1: v, 'b': v.clone(), (1, 2): q.clone(), torch.float32: q.clone()})", 0),
        ("(q, {Kind.A: v})", 1),
        ("(q, [{Kind.A: v, 'a': q.clone()}])", 1),
        ("(q, {Plain: v, Plain(): q.clone()})", 2),
        ("(q,), {'y': {Kind.A: v}}", 1),
        ("(q, v)", 0),
        ("(q, k)", 1),
        ("(q, k.clone())", 0),
        (
            "(q, v), dynamic_shapes=tree_map_only(torch.Tensor, lambda t: {0: torch.export.Dim.AUTO}, {'x': q, 'y': v})",
            0,
        ),
        ("(q, v), {'z': q}, dynamic_shapes=tree_map_only(torch.Tensor, lambda t: {}, {'x': q, 'y': v, 'z': q})", 2),
        ("(q,)", 1),
    ],
)
def test_what_does_not_fit(inputs: str, found: int, check_text: Checker) -> None:
    codes = [one.code for one in check_text(TEXT.format(inputs=inputs, set_up="")).findings]
    assert codes == ["EDB902"] * found


def test_a_model_with_another_forward(check_text: Checker) -> None:
    text = TEXT.format(inputs="(q,)", set_up="model.forward = functools.partial(model.forward, y=v)")
    assert not check_text(text).findings
