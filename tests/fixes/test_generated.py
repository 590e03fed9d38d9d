"""Generated programs of branches over tensors are fixed correctly or refused; none is made wrong.

`EXPORTDB_FIX_PROGRAMS` sets their number (CI: 500).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import proof
import torch
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

PROGRAMS = int(os.environ.get("EXPORTDB_FIX_PROGRAMS", "20"))

HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flag = True
        self.off = False
        self.gain = nn.Parameter(torch.ones(3))
        self.register_buffer("bias", torch.arange(3.0))
        self.register_buffer("seen", torch.tensor([True]))
        self.lin = nn.Linear(3, 3)
        self.deep = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 3))

    def half(self, t):
        return t * 0.5

    def same(self, t):
        return t

"""
TAIL = """

inputs = [
    (torch.ones(2, 3), torch.full((2, 3), -0.5), torch.tensor([1, 2, 0])),
    (-torch.ones(2, 3), torch.full((2, 3), 2.0), torch.tensor([1, 2, 0])),
    (torch.linspace(-2, 3, 6).view(2, 3), torch.linspace(1, -4, 6).view(2, 3), torch.tensor([0, 5, -3])),
    (torch.zeros(2, 3), torch.zeros(2, 3), torch.tensor([0, 0, 0])),
    (torch.full((2, 3), 4.0), torch.full((2, 3), 4.0), torch.tensor([-7, 2, 1])),
]
"""

NAMES = ("x", "y", "a", "b", "c")
UNARY = (
    "{0}.sin()", "{0} * 2", "-{0}", "{0}.relu()", "torch.tanh({0})", "{0}", "{0}.view(2, 3)", "{0} + self.bias",
    "self.lin({0})", "self.deep({0})", "self.half({0})", "self.same({0})", "{0}.clone()", "torch.zeros_like({0})",
    "{0} - {0}.mean()", "{0}.detach()", "{0}.t().t()", "{0}.contiguous()", "{0} / 3", "{0}.abs()", "{0}.double()",
    "{0}[:, :2]", "{0}.flip(0)", "{0} > 0", "{0}.argmax(-1)", "{0} * self.gain", "{0}.t()", "{0}.int()",
)  # fmt: skip
BINARY = ("{0} + {1}", "{0} * {1}", "torch.maximum({0}, {1})", "torch.where({0} > 0, {0}, {1})", "{0} - {1}.mean(0)")
TESTS = (
    "{0}.sum() > 0", "not {0}.any()", "({0} > 1).all()", "{0}.mean() < {1}.mean()", "0 < {0}.sum() < 5",
    "{0}.max() > 1 and {1}.min() < 0", "{0}.sum() > 0 or {1}.sum() > 0", "self.flag and {0}.sum() > 0",
    "not ({0}.sum() > 0 and {1}.sum() > 0)", "self.off or {0}.min() < 0", "{0}.sum().item() > 1", "self.seen",
    "self.flag", "n.sum() > 2", "n.max().item() > 1", "not n.min().item() > 0", "{0}.norm() >= 2", "bool({0}.any())",
    "{0}.isfinite().all() and not self.off", "torch.equal({0}, {1})", "n.any()", "(n > 0).sum().item() == 2",
)  # fmt: skip
INPLACE = ("{0} += 1", "{0} *= {1}", "{0}[0] = 0", "{0}.add_({1})", "{0}.clamp_(-1, 1)", "{0} -= {0}.mean()")


@st.composite
def programs(draw: st.DrawFn) -> str:
    """The text of a program whose `forward` branches on its inputs."""
    lines: list[str] = []
    name = st.sampled_from(NAMES)

    def expression(known: set[str], depth: int = 0) -> str:
        usable = st.sampled_from(sorted(known))
        if depth < 2 and draw(st.integers(0, 9)) == 0:
            test = draw(st.sampled_from(TESTS)).format(draw(usable), draw(usable))
            return f"({expression(known, depth + 1)} if {test} else {expression(known, depth + 1)})"
        if draw(st.booleans()):
            return draw(st.sampled_from(UNARY)).format(draw(usable))
        return draw(st.sampled_from(BINARY)).format(draw(usable), draw(usable))

    def block(indent: str, known: set[str], depth: int, tuple_: bool) -> set[str]:
        """Write statements; the names that surely have values after them."""
        known = set(known)
        for _ in range(draw(st.integers(1, 2))):
            kind = draw(st.integers(0, 9))
            usable = st.sampled_from(sorted(known))
            if kind < (6 if depth else 8) or depth > 1:
                target = draw(name)
                lines.append(f"{indent}{target} = {expression(known)}")
                known.add(target)
            elif kind == 8 or (depth and kind == 6):
                lines.append(indent + draw(st.sampled_from(INPLACE)).format(draw(usable), draw(usable)))
            else:
                branch(indent, known, depth, tuple_)
        return known

    def branch(indent: str, known: set[str], depth: int, tuple_: bool) -> None:
        usable = st.sampled_from(sorted(known))
        sides: list[set[str] | None] = []
        for number in range(draw(st.integers(1, 3))):
            test = draw(st.sampled_from(TESTS)).format(draw(usable), draw(usable))
            lines.append(f"{indent}{'el' if number else ''}if {test}:  # test {len(lines)}")
            sides.append(side(indent, known, depth, tuple_))
        if draw(st.booleans()):
            lines.append(f"{indent}else:")
            sides.append(side(indent, known, depth, tuple_))
        else:
            sides.append(set(known))
        open_ = [s for s in sides if s is not None]
        known |= set.intersection(*open_) if open_ else set()

    def side(indent: str, known: set[str], depth: int, tuple_: bool) -> set[str] | None:
        after = block(indent + "    ", known, depth + 1, tuple_)
        if draw(st.integers(0, 4)) == 0:
            result(indent + "    ", after, tuple_)
            return None
        return after

    def result(indent: str, known: set[str], tuple_: bool) -> None:
        parts = [expression(known) for _ in range(2 if tuple_ else 1)]
        lines.append(f"{indent}return {', '.join(parts)}")

    tuple_ = draw(st.booleans())
    known = block("        ", {"x", "y"}, 0, tuple_)
    branch("        ", known, 0, tuple_)
    result("        ", known, tuple_)
    return HEAD + "    def forward(self, x, y, n):\n" + "\n".join(lines) + TAIL


@contextmanager
def plain_cond() -> Iterator[None]:
    """`torch.cond` as the `if` that it means: in eager it would compile every program anew."""
    original = torch.cond

    def choose(pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
        return (true_fn if bool(pred) else false_fn)(*operands)

    torch.cond = choose
    try:
        yield
    finally:
        torch.cond = original


@settings(
    max_examples=PROGRAMS,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(programs(), st.sampled_from(["", "torch.cond", "torch.where"]))
def test_generated_programs_are_fixed_correctly_or_refused(text: str, wanted: str) -> None:
    inputs = proof.load(text)["inputs"]
    truth = proof.play(proof.model(text), inputs)
    if truth[0].raised is not None:
        event("raises before")
        return
    fixed = proof.repair(text, wanted=wanted)
    if not fixed.titles:
        event("refused")
        return
    with plain_cond():
        now = proof.play(proof.model(fixed.text), inputs)
    assert proof.difference(truth, now) == "", f"eager has changed\n{text}\n=>\n{fixed.text}"
    if proof.offers(fixed.text):
        event("fixed in part")
        return
    event("fixed")
    if any(o.raised for o in truth):
        return
    traced = proof.play(proof.exported(fixed.text, inputs, False), inputs)
    assert proof.difference(truth, traced) == "", f"export computes something else\n{text}\n=>\n{fixed.text}"
