"""What is known of code before it is moved: never other than what Python and torch make of it."""

from __future__ import annotations

from typing import Any

import libcst as cst
import pytest
import torch
import torch.nn.functional as F
from exportdb_rules import engine
from exportdb_rules.project import Project
from exportdb_rules.rewrite.context import FixContext
from exportdb_rules.rewrite.known.inference import Inference
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import Signature, TensorSignature, normal, numeric
from exportdb_rules.rewrite.tree import below, parse
from exportdb_rules.rule import find

NET = """\
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x, n, mask):
        if x.sum() > 0:
            pass
        return {expression}


example_args = (torch.randn(3, 2), torch.arange(6).view(3, 2), torch.tensor([True, False, True]))
model = Net()
"""
VALUES = {"x": torch.randn(3, 2), "n": torch.arange(6).view(3, 2), "mask": torch.tensor([True, False, True])}


def context_of(text: str, monkeypatch: pytest.MonkeyPatch) -> FixContext:
    """What the first fix of a text may know."""
    project = Project()
    project.set_text("/net.py", text)
    found = engine.check(project, "/net.py").findings[0]
    asked: list[FixContext] = []

    def fixes(_rule: object, context: FixContext) -> tuple[()]:
        asked.append(context)
        return ()

    monkeypatch.setattr(type(find(found.code)), "fixes", fixes)
    engine.offer(project, found)
    return asked[0]


def signature(expression: str, monkeypatch: pytest.MonkeyPatch) -> Signature:
    """What is known of an expression of tensors of known sizes."""
    context = context_of(NET.format(expression=expression), monkeypatch)
    tree = parse(context.text)
    assert tree is not None
    (owner,), (function,) = below(tree.module, cst.ClassDef), below(tree.module, cst.FunctionDef)
    inference = Inference(tree, context, function, owner)
    (result,) = below(function, cst.Return)
    assert result.value is not None
    return inference.infer(result.value, inference.entry())


def _dtype(value: torch.Tensor) -> Any:
    return normal(str(value.dtype).removeprefix("torch."))


def made(expression: str) -> torch.Tensor:
    """What torch makes of it."""
    return eval(expression, {"torch": torch, "F": F, **VALUES})


@pytest.mark.parametrize(
    "expression",
    [
        "x * 2", "n * 2", "n * 0.5", "n / 2", "mask * 2", "mask * 0.5", "n + x", "n.sum()", "mask.sum()", "n.cumsum(0)",
        "torch.div(n, 2)", "torch.div(n, 2, rounding_mode='floor')", "torch.div(7, n + 1)", "torch.pow(2, n)",
        "x.sum(dtype=torch.float64)", "mask.sum(dtype=torch.float32)", "x.mean(0, dtype=torch.float64)",
        "x.softmax(-1, dtype=torch.float64)", "torch.where(x > 0, torch.tensor(1.0), torch.tensor(0.0))",
        "torch.where(mask[:, None], x, x * 2)", "x.where(x > 0, x * 2)", "n.where(x > 0, n * 2)", "torch.where(x > 0, 1, n)",
        "torch.zeros(size=(3, 2))", "torch.zeros(0x3, 2)", "torch.zeros(())", "torch.ones(x.shape[0], 4)",
        "torch.zeros(x.size(dim=0), x.size(1))", "torch.full((2,), 3)", "torch.full((2,), 3.0)", "x.new_zeros(4)",
        "x.new_full((), 1)", "torch.arange(6).reshape(3, 2)", "torch.arange(6, dtype=torch.float64).view(3, -1)",
        "torch.randint(0, 5, (3, 2))", "torch.randint(5, size=(4,))", "torch.randperm(4)", "torch.eye(3)",
        "torch.zeros(3, dtype=torch.long)", "torch.tensor([[1, 2], [3, 4]])", "torch.tensor([True, False])", "x.long()",
        "x.t().relu()", "x.t() @ x", "x[0]", "x[1:]", "x[:, None]", "x[n[:, 0] % 3]", "x[..., -1]", "n.argmax(1)",
        "torch.cat([x, x])", "torch.stack([x, x], -1)", "x.max(1).values", "x.unbind(1)[0]", "x.chunk(2)[1]",
        "F.pad(x, (1, 1))", "F.one_hot(n, 7)", "x.repeat(2, 1, 1)", "x.norm(2, 1)", "x.std(0)", "F.linear(x, x)",
    ],
)  # fmt: skip
def test_dtype_and_sizes_are_those_that_torch_makes(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known, real = signature(expression, monkeypatch), made(expression)
    assert isinstance(known, TensorSignature)
    assert (known.dtype, numeric(known.shape)) == (_dtype(real), tuple(real.shape))
    assert known.maybe_noncontiguous or real.is_contiguous()
    shared = any(real.untyped_storage().data_ptr() == value.untyped_storage().data_ptr() for value in VALUES.values())
    assert not shared or not all(root.startswith("#") for root in known.storages)


@pytest.mark.parametrize("expression", ["x.view(torch.int32)", "x[mask]"])
def test_what_is_not_known_is_not_said(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = signature(expression, monkeypatch)
    assert not isinstance(known, TensorSignature) or numeric(known.shape) is None or known.dtype is None


@pytest.mark.parametrize(
    ("code", "reads", "writes"),
    [
        ("[x * 2 for x in x.chunk(2)]", "x", ""),
        ("[y for x in rows for y in x]", "rows", ""),
        ("{k: v for k, v in table if k in wanted}", "table wanted", ""),
        ("sum(y := x for x in rows)", "sum rows", "y"),
        ("f = lambda x=x: x + y", "x y", "f"),
        ("with a as b: c = b", "a b", "b c"),
        ("for x in x: y = x", "x", "x y"),
        ("import a.b, c as d", "", "a d"),
        ("x.y[z] += 1", "x z", ""),
    ],
)
def test_names_are_read_and_bound_in_the_scopes_of_python(code: str, reads: str, writes: str) -> None:
    found = names(cst.parse_module(code))
    assert (found.reads, found.writes) == ({*reads.split()}, {*writes.split()})
