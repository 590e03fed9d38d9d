"""Operators that hold for some sizes of a dynamic dimension only: what check says of them, beside what export makes of them.

The rows were exported with torch 2.13 under a named Dim, and some under Dim.AUTO: those that are silent export for their
whole range.
"""

from __future__ import annotations

import pytest
import torch
from exportdb_rules.terms import Demand, Term, demanded, divides, least

from .conftest import Checker

PROGRAM = """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 3)
        self.norm = nn.LayerNorm(6)
        self.batch = nn.BatchNorm1d(6).eval()
        self.rnn = nn.LSTM(6, 4, batch_first=True)
        self.conv = nn.Conv1d(2, 4, 3)
        self.same = nn.Conv1d(2, 2, 3, padding="same")
        self.down = nn.Conv1d(2, 2, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose1d(2, 2, 2, stride=2)
        self.pool = nn.AvgPool1d(2)
        self.frozen = nn.MaxPool1d(2)
        self.twice = nn.Upsample(scale_factor=2)
        self.one = nn.AdaptiveAvgPool1d(1)
        self.embed = nn.Embedding(9, 6)
        self.table = nn.Parameter(torch.zeros(6, 4))

    def forward(self, {names}):
        return {body}


model = Net().eval()
example_args = ({args},)
dynamic_shapes = ({dims},)
"""
N = "Dim('n', max=4096)"
FIXED, RELATED = "EDB305", "EDB308"
# The body, the example, the dimensions, and the rule; "" where it exports.
ONE: list[tuple[str, str, str, str]] = [
    ("x + torch.ones(6)", "torch.randn(6)", f"{{0: {N}}}", FIXED),
    ("x + torch.ones(6)", "torch.randn(6)", "{0: Dim.AUTO}", FIXED),
    ("x + torch.ones(1)", "torch.randn(6)", f"{{0: {N}}}", ""),
    ("x + torch.ones_like(x)", "torch.randn(6)", f"{{0: {N}}}", ""),
    ("x + torch.ones(4)", "torch.randn(6, 4)", f"{{0: {N}}}", ""),
    ("x + self.table", "torch.randn(6, 4)", f"{{0: {N}}}", FIXED),
    ("x[:, None] * self.table", "torch.randn(6, 4)", f"{{1: {N}}}", FIXED),
    ("self.linear(x)", "torch.randn(2, 6)", f"{{1: {N}}}", FIXED),
    ("self.linear(x)", "torch.randn(2, 6)", f"{{0: {N}}}", ""),
    ("self.norm(x)", "torch.randn(2, 6)", f"{{1: {N}}}", FIXED),
    ("self.batch(x)", "torch.randn(2, 6)", f"{{1: {N}}}", FIXED),
    ("self.batch(x)", "torch.randn(2, 6)", f"{{0: {N}}}", ""),
    ("self.rnn(x)[0]", "torch.randn(2, 5, 6)", f"{{2: {N}}}", FIXED),
    ("self.conv(x)", "torch.randn(3, 2, 8)", f"{{1: {N}}}", FIXED),
    ("self.conv(x)", "torch.randn(3, 2, 8)", f"{{2: {N}}}", RELATED),
    ("self.conv(x)", "torch.randn(3, 2, 8)", "{2: Dim('n', min=4, max=4096)}", ""),
    ("self.embed(x)", "torch.arange(6)", f"{{0: {N}}}", ""),
    ("x @ x", "torch.randn(6, 6)", f"{{0: {N}}}", FIXED),
    ("x @ x.T", "torch.randn(6, 4)", f"{{0: {N}}}", ""),
    ("torch.stack([x, torch.zeros(6)])", "torch.randn(6)", f"{{0: {N}}}", FIXED),
    ("torch.where(torch.ones(6) > 0, x, 0.0)", "torch.randn(6)", f"{{0: {N}}}", FIXED),
    ("F.mse_loss(x, torch.zeros(6))", "torch.randn(6)", f"{{0: {N}}}", FIXED),
    ("torch.eye(6) @ x", "torch.randn(6, 2)", f"{{0: {N}}}", FIXED),
    ("x.masked_fill(torch.ones(6, 6).triu().bool(), 0.0)", "torch.randn(2, 6, 6)", f"{{1: {N}}}", FIXED),
    ("torch.einsum('ab,b->a', x, torch.ones(6))", "torch.randn(2, 6)", f"{{1: {N}}}", FIXED),
    ("torch.einsum('ab,b->a', x, torch.ones(6))", "torch.randn(2, 6)", f"{{0: {N}}}", ""),
    ("F.cross_entropy(x, torch.zeros(6).long())", "torch.randn(6, 4)", f"{{0: {N}}}", FIXED),
    ("torch.zeros(6, 4).copy_(x)", "torch.randn(6, 4)", f"{{0: {N}}}", FIXED),
    ("torch.linalg.inv(x)", "torch.eye(6)", f"{{0: {N}}}", FIXED),
    ("x.unflatten(0, (2, -1))", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x.view(-1, 3)", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x.view(2, 3, -1).sum(0)", "torch.randn(6, 4)", f"{{1: {N}}}", ""),
    ("x.view(x.shape[0] // 2, 2)", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x.view(x.shape[0] // 2, 2)", "torch.randn(6)", "{0: 2 * Dim('n', max=4096)}", ""),
    ("x.reshape(6, 4)", "torch.randn(6, 2, 2)", f"{{0: {N}}}", FIXED),
    ("x.flatten()", "torch.randn(6, 2)", f"{{0: {N}}}", ""),
    ("x.tensor_split(2)[0]", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x[2:]", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x[2:]", "torch.randn(6)", "{0: Dim('n', min=4, max=4096)}", ""),
    ("x[:4]", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x[3]", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("x[-1]", "torch.randn(6, 2)", f"{{0: {N}}}", ""),
    ("x.topk(3)[0]", "torch.randn(6)", f"{{0: {N}}}", RELATED),
    ("F.pad(x, (1, 1))", "torch.randn(6)", f"{{0: {N}}}", ""),
    ("x.cumsum(0)", "torch.randn(6)", f"{{0: {N}}}", ""),
    ("torch.arange(x.shape[0]) + x", "torch.randn(6)", f"{{0: {N}}}", ""),
    ("x + self.same(x)", "torch.randn(3, 2, 8)", f"{{2: {N}}}", ""),
    ("x + self.up(self.pool(x))", "torch.randn(3, 2, 8)", f"{{2: {N}}}", RELATED),
    ("x + self.up(self.pool(x))", "torch.randn(3, 2, 8)", "{2: 2 * Dim('n', min=4, max=4096)}", ""),
    ("x + self.twice(self.pool(x))", "torch.randn(3, 2, 8)", f"{{2: {N}}}", RELATED),
    ("x[:, :, ::2] + self.down(x)", "torch.randn(3, 2, 8)", "{2: Dim('n', min=4, max=4096)}", ""),
    ("self.down(x)", "torch.randn(3, 2, 8)", f"{{2: {N}}}", RELATED),
    ("F.interpolate(x, scale_factor=0.5)", "torch.randn(3, 2, 8)", f"{{2: {N}}}", RELATED),
    ("F.interpolate(x, scale_factor=0.5)", "torch.randn(3, 2, 8)", "{2: Dim('n', min=4, max=4096)}", ""),
    ("self.frozen(x)", "torch.randn(3, 2, 8)", "{2: Dim('n', min=4, max=4096)}", "EDB304"),
    ("F.max_pool1d(x, 2)", "torch.randn(3, 2, 8)", "{2: Dim('n', min=4, max=4096)}", "EDB304"),
    ("torch.cat([x, self.up(self.down(x))], 1)", "torch.randn(3, 2, 8)", f"{{2: {N}}}", RELATED),
    (
        "torch.cat([x, F.interpolate(self.down(x), scale_factor=2)], 1)",
        "torch.randn(3, 2, 8)",
        "{2: 2 * Dim('n', min=4, max=4096)}",
        "",
    ),
    ("self.linear(self.pool(x))", "torch.randn(3, 2, 12)", f"{{2: {N}}}", RELATED),
    ("self.linear(self.one(x).expand(-1, -1, 6))", "torch.randn(3, 2, 12)", f"{{2: {N}}}", ""),
    ("x + F.avg_pool1d(x, 3, 1, 1)", "torch.randn(3, 2, 8)", f"{{2: {N}}}", ""),
    ("x[:, :, 2:] + F.conv1d(x, torch.ones(2, 2, 3))", "torch.randn(3, 2, 8)", "{2: Dim('n', min=6, max=4096)}", ""),
    ("F.conv1d(x, torch.ones(2, 3, 3))", "torch.randn(2, 3, 8)", f"{{1: {N}}}", FIXED),
]
TWO = [
    ("x + y", "{0: Dim('a')}, {0: Dim('b')}", RELATED),
    ("x + y", "{0: Dim('a')}, {0: Dim('a')}", ""),
    ("x + y", "{0: Dim.AUTO}, {0: Dim.AUTO}", ""),
    ("x + y", "{0: Dim.DYNAMIC}, {0: Dim.DYNAMIC}", ""),
    ("torch.cat([x, y], 1)", "{0: Dim('a')}, {0: Dim('b')}", RELATED),
    ("torch.cat([x, y])", "{0: Dim('a')}, {0: Dim('b')}", ""),
    ("x @ y.T", "{0: Dim('a')}, {0: Dim('b')}", ""),
    ("x[::2] + y[1::2]", "{0: 2 * Dim('a', max=4096)}, {0: 2 * Dim('a', max=4096)}", ""),
]


def codes(check_text: Checker, source: str) -> set[str]:
    report = check_text(source, "none")
    assert not report.problems
    return {finding.code for finding in report.findings}


def exports(source: str) -> bool:
    namespace: dict[str, object] = {}
    exec(compile(source, "<program>", "exec"), namespace)
    try:
        torch.export.export(namespace["model"], namespace["example_args"], dynamic_shapes=namespace["dynamic_shapes"])  # type: ignore[arg-type]
    except Exception:
        return False
    return True


@pytest.mark.parametrize(("body", "args", "dims", "code"), ONE)
def test_one_tensor(check_text: Checker, body: str, args: str, dims: str, code: str) -> None:
    source = PROGRAM.format(names="x", body=body, args=args, dims=dims)
    assert codes(check_text, source) == ({code} if code else set())
    if "AUTO" not in dims:  # which freezes a size, and says nothing
        assert exports(source) is not bool(code)


@pytest.mark.parametrize(("body", "dims", "code"), TWO)
def test_two_tensors(check_text: Checker, body: str, dims: str, code: str) -> None:
    source = PROGRAM.format(names="x, y", body=body, args="torch.randn(4, 3), torch.randn(4, 3)", dims=dims)
    assert codes(check_text, source) == ({code} if code else set())
    assert exports(source) is not bool(code)


def test_a_message_says_what_to_declare(check_text: Checker) -> None:
    source = PROGRAM.format(names="x", body="x.view(-1, 3)", args="torch.randn(6)", dims=f"{{0: {N}}}")
    (finding,) = check_text(source, "none").findings
    assert "a multiple of 3" in finding.message
    assert "`3 * _n`" in finding.message


def test_terms() -> None:
    n, m, number = Term.dimension("n"), Term.dimension("m"), Term.number
    assert str(number(2) * n + m - number(3)) == "m + 2 * n - 3"
    assert n - n == number(0)
    assert (number(6) * n * m).over(number(3) * m) == number(2) * n
    assert (number(6) * n).over(number(4)) is None
    assert (number(2) * n + number(1)).quotient(2) == n
    assert str((number(4) * n + m + number(7)).quotient(2)) == "((m + 1) // 2) + 2 * n + 3"
    assert Term.written("2 * n + 1") == number(2) * n + number(1)
    assert demanded(n, n) is None
    assert demanded(n + number(1), n) is None  # never equal: something else is not known rightly
    assert demanded(number(2) * n, number(8)) == Demand("number", "n == 4", frozenset("n"), "n", 4)
    multiple = demanded(number(8) * n.quotient(4), number(2) * n)
    assert multiple is not None
    assert (multiple.kind, multiple.dimension, multiple.number) == ("multiple", "n", 4)
    assert divides(4, number(6) * n) == Demand("multiple", "n % 2 == 0", frozenset("n"), "n", 2)
    assert divides(3, number(6) * n) is None
    assert least(n - number(2), 2) == Demand("least", "n >= 4", frozenset("n"), "n", 4)
    assert least(n + number(2), 2) is None
