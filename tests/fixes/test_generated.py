"""Generated programs of branches over tensors are fixed correctly or refused; none is made wrong.

There are 500, in 25 parts: a run takes one of them, each day another, and with `--long` all.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import proof
import pytest
from exportdb_lsp.worker.eager_operators import EagerHigherOrderOps
from hypothesis import HealthCheck, event, given, seed, settings
from hypothesis import strategies as st

from .. import proofs

PARTS, PROGRAMS = 25, 20
STRICT = 8

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
        self.register_buffer("hits", torch.tensor(0))
        self.register_buffer("mean", torch.zeros(3))
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
    "{0}.sin()", "{0} * 2", "-{0}", "{0}.relu()", "torch.tanh({0})", "{0}", "{0} + self.bias", "self.lin({0})",
    "self.deep({0})", "self.half({0})", "{0}.clone()", "torch.zeros_like({0})", "{0} - {0}.mean()", "{0} / 3",
    "{0}.abs()", "{0} * self.gain", "{0} + self.mean", "{0} * self.hits", "{0}.detach()",
)  # fmt: skip
# What keeps a fix from being right, or asks for care: views, other dtypes and shapes, a method that returns its input.
ODD = (
    "{0}.view(2, 3)", "self.same({0})", "{0}.t().t()", "{0}.contiguous()", "{0}.double()", "{0}[:, :2]", "{0}.flip(0)",
    "{0} > 0", "{0}.argmax(-1)", "{0}.t()", "{0}.int()", "{0}.t().contiguous()", "{0}[0]", "{0}.expand(2, 3)",
)  # fmt: skip
BINARY = ("{0} + {1}", "{0} * {1}", "torch.maximum({0}, {1})", "torch.where({0} > 0, {0}, {1})", "{0} - {1}.mean(0)")
TESTS = (
    "{0}.sum() > 0", "not {0}.any()", "({0} > 1).all()", "{0}.mean() < {1}.mean()", "0 < {0}.sum() < 5",
    "{0}.max() > 1 and {1}.min() < 0", "{0}.sum() > 0 or {1}.sum() > 0", "self.flag and {0}.sum() > 0",
    "not ({0}.sum() > 0 and {1}.sum() > 0)", "self.off or {0}.min() < 0", "{0}.sum().item() > 1", "self.seen",
    "self.flag", "n.sum() > 2", "n.max().item() > 1", "not n.min().item() > 0", "{0}.norm() >= 2", "bool({0}.any())",
    "{0}.isfinite().all() and not self.off", "torch.equal({0}, {1})", "n.any()", "(n > 0).sum().item() == 2",
)  # fmt: skip
INPLACE = ("{0} += 1", "{0} *= {1}", "{0}[0] = 0", "{0}.add_({1})", "{0}.clamp_(-1, 1)", "{0} -= {0}.mean()",
    "self.hits += 1", "self.hits.fill_(2)", "self.mean.copy_({0}.detach().mean(0))", "self.mean.data.copy_({0}[0])",
    "self.mean.mul_(0.5).add_({0}.detach().mean(0), alpha=0.5)",
)  # fmt: skip


def program(random: Random) -> str:
    """The text of a program whose `forward` branches on its inputs."""
    lines: list[str] = []

    def some(known: set[str]) -> str:
        return random.choice(sorted(known))

    def test(known: set[str]) -> str:
        return random.choice(TESTS).format(some(known), some(known))

    def expression(known: set[str], depth: int = 0) -> str:
        if depth < 2 and random.random() < 0.08:
            return f"({expression(known, depth + 1)} if {test(known)} else {expression(known, depth + 1)})"
        if random.random() < 0.6:
            return random.choice(ODD if random.random() < 0.1 else UNARY).format(some(known))
        return random.choice(BINARY).format(some(known), some(known))

    def block(indent: str, known: set[str], depth: int, tuple_: bool) -> set[str]:
        """Write statements; the names that surely have values after them."""
        known = set(known)
        for _ in range(random.randint(1, 2)):
            kind = random.random()
            if kind < 0.7 or depth > 1:
                target = random.choice(NAMES)
                lines.append(f"{indent}{target} = {expression(known)}")
                known.add(target)
            elif kind < 0.85:
                lines.append(indent + random.choice(INPLACE).format(some(known), some(known)))
            else:
                branch(indent, known, depth, tuple_)
        return known

    def branch(indent: str, known: set[str], depth: int, tuple_: bool) -> None:
        sides: list[set[str] | None] = []
        for number in range(random.choice((1, 1, 2, 3))):
            lines.append(f"{indent}{'el' if number else ''}if {test(known)}:  # test {len(lines)}")
            sides.append(side(indent, known, depth, tuple_))
        if random.random() < 0.5:
            lines.append(f"{indent}else:")
            sides.append(side(indent, known, depth, tuple_))
        else:
            sides.append(set(known))
        open_ = [s for s in sides if s is not None]
        known |= set.intersection(*open_) if open_ else set()

    def side(indent: str, known: set[str], depth: int, tuple_: bool) -> set[str] | None:
        after = block(indent + "    ", known, depth + 1, tuple_)
        if random.random() < 0.2:
            result(indent + "    ", after, tuple_)
            return None
        return after

    def result(indent: str, known: set[str], tuple_: bool) -> None:
        parts = [expression(known) for _ in range(2 if tuple_ else 1)]
        lines.append(f"{indent}return {', '.join(parts)}")

    tuple_ = random.random() < 0.5
    known = block("        ", {"x", "y"}, 0, tuple_)
    branch("        ", known, 0, tuple_)
    result("        ", known, tuple_)
    return HEAD + "    def forward(self, x, y, n):\n" + "\n".join(lines) + TAIL


def proven(text: str, wanted: str) -> str:
    """What became of a program; fails where a fix made it wrong."""
    inputs = proof.load(text)["inputs"]
    truth = proof.play(proof.model(text), inputs)
    if truth[0].raised is not None:
        return "raises before"
    fixed = proof.repair(text, wanted=wanted)
    if not fixed.titles:
        return "refused"
    with EagerHigherOrderOps():
        now = proof.play(proof.model(fixed.text), inputs)
    assert proof.difference(truth, now) == "", f"eager has changed\n{text}\n=>\n{fixed.text}"
    if fixed.left or any(o.raised for o in truth):
        return "fixed in part"
    # Strict export costs three times as much: a sample of the programs tells as well.
    for strict in (False, True) if len(text) % STRICT == 0 else (False,):
        traced = proof.play(proof.exported(fixed.text, inputs, strict), inputs)
        assert proof.difference(truth, traced) == "", (
            f"strict={strict} computes something else\n{text}\n=>\n{fixed.text}"
        )
    return "fixed"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "part" in metafunc.fixturenames:
        everything = metafunc.config.getoption("--long")
        metafunc.parametrize("part", range(PARTS) if everything else [proofs.today() % PARTS])


def test_generated_programs_are_fixed_correctly_or_refused(part: int) -> None:
    counted: Counter[str] = Counter()

    @seed(part)
    @settings(max_examples=PROGRAMS, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**32), st.sampled_from(["", "torch.cond", "torch.where"]))
    def run(number: int, wanted: str) -> None:
        # Hypothesis' own choices favour the simplest of everything, and the same again.
        outcome = proven(program(Random(number)), wanted)
        counted[outcome] += 1
        event(outcome)

    run()
    print(dict(counted))
    assert counted["fixed"] > counted.total() / 10, "hardly a program was fixed: nothing is proven"
