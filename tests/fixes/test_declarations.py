"""Fixes at the declaration of dynamic dimensions: what is offered, each proven by exports before and after, and what is refused.

The programs of tests/data/fixes/declarations are fixed by what is preferred; here stands every other fix, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

import proof
import pytest
import torch
from exportdb_lsp.checking.record import of_finding, to_finding
from exportdb_rules import engine
from exportdb_rules.finding import Applicability, Fix, Mode, Verdict
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite import refusal
from exportdb_rules.rewrite.edits import apply

from ..programs import fill

PROGRAM = """\
import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 3)
        self.register_buffer("table", torch.ones(10, 6))

    def forward(self, {names}):
        {body}


{dims}
example_args = ({args},)
dynamic_shapes = {spec}
model = Net()
inputs = [example_args, ({other},)]
"""


@dataclass(frozen=True)
class Row:
    """A program whose export fails: `fixes` are the titles of all that is offered, each with a line that it writes. `other`
    are inputs of other sizes, as far as a fix leaves any; after `frozen` ones only those of the example are accepted."""

    names: str
    body: str
    dims: str
    args: str
    spec: str
    other: str
    fixes: dict[str, str]
    frozen: bool = False

    def text(self) -> str:
        dims = f"{self.dims}\n" if self.dims else ""
        return fill(
            PROGRAM, names=self.names, body=self.body, dims=dims, args=self.args, spec=self.spec, other=self.other
        )


ROWS = {
    "a layer": Row(
        "x", "return self.linear(x)", 'n = Dim("n", max=64)', "torch.ones(2, 6)", '{"x": {0: Dim("b"), 1: n}}',
        "torch.ones(3, 6)",
        {
            "Declare `n` as Dim.STATIC": 'dynamic_shapes = {"x": {0: Dim("b"), 1: Dim.STATIC}}',
            "Declare `n` as Dim.AUTO": 'dynamic_shapes = {"x": {0: Dim("b"), 1: Dim.AUTO(max=64)}}',
        },
    ),
    "a layer below a hint": Row(
        "x", "return self.linear(x)", "", "torch.ones(2, 6)", "({0: Dim.AUTO, 1: Dim.DYNAMIC},)", "torch.ones(3, 6)",
        {
            "Declare `x.shape[1]` as Dim.STATIC": "dynamic_shapes = ({0: Dim.AUTO, 1: Dim.STATIC},)",
            "Declare `x.shape[1]` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO, 1: Dim.AUTO},)",
        },
    ),
    "two dimensions that are equal": Row(
        "x, y", "return x + y", 'a = Dim("a", min=3)\nb = Dim("b", max=64)', "torch.ones(6), torch.ones(6)",
        "(\n    {0: a},\n    {0: b},\n)", "torch.ones(4), torch.ones(4)",
        {
            "Use one Dim for `a` and `b`": 'a = Dim("a", min=3, max=64)',
            "Declare `a` and `b` as Dim.AUTO": "    {0: Dim.AUTO(max=64)},",
        },
    ),
    "two that are written where they are used": Row(
        "x, y", "return x + y", "", "torch.ones(6), torch.ones(6)", '({0: Dim("a")}, [Dim("b", max=8)])',
        "torch.ones(4), torch.ones(4)",
        {
            "Use one Dim for `a` and `b`": 'dynamic_shapes = ({0: Dim("a", max=8)}, [Dim("a", max=8)])',
            "Declare `a` and `b` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO}, [Dim.AUTO(max=8)])",
        },
    ),
    "twice as many": Row(
        "x, y", "return x.repeat(2) + y", 'a = Dim("a", max=99)\nb = Dim("b", max=64)', "torch.ones(6), torch.ones(12)",
        "({0: a}, {0: b})", "torch.ones(4), torch.ones(8)",
        {
            "Declare `b` as `2 * a`": 'a = Dim("a", max=32)',
            "Declare `a` and `b` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO(max=99)}, {0: Dim.AUTO(max=64)})",
        },
    ),
    "a derived Dim of a derived one": Row(
        "x, y, z", "return x + y[1:] + z[::2]", 'a = Dim("a")\nb = Dim("b")\nc = 2 * a',
        "torch.ones(6), torch.ones(7), torch.ones(12)", "({0: a}, {0: b}, {0: c})",
        "torch.ones(4), torch.ones(5), torch.ones(8)",
        {
            "Declare `b` as `a + 1`": "dynamic_shapes = ({0: a}, {0: a + 1}, {0: c})",
        },
    ),
    "a multiple": Row(
        "x", "return x.view(-1, 4)", "", "torch.ones(8)", '{"x": [Dim("n", min=4, max=64)]}', "torch.ones(20)",
        {
            "Declare `n` as `4 * _n`": 'dynamic_shapes = {"x": [4 * Dim("_n", min=2, max=16)]}',
            "Declare `n` as Dim.AUTO": 'dynamic_shapes = {"x": [Dim.AUTO(min=4, max=64)]}',
        },
    ),
    "a least size": Row(
        "x", "return x[3:]", 'n = Dim("n", min=2)', "torch.ones(8)", "({0: n},)",
        "torch.ones(5)",
        {
            "Declare `n` with `min=5`": 'n = Dim("n", min=5)',
            "Declare `n` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO(min=2)},)",
        },
    ),
    "a table": Row(
        "x", "return x + self.table[: x.shape[0]]", "", "torch.ones(8, 6)", '({0: Dim("n")},)', "torch.ones(10, 6)",
        {
            "Declare `n` with `max=10`": 'dynamic_shapes = ({0: Dim("n", max=10)},)',
            "Declare `n` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO},)",
            "Declare the dimension as Dim.DYNAMIC": "dynamic_shapes = ({0: Dim.DYNAMIC},)",
        },
    ),
    "an assert of two bounds": Row(
        "x",
        """
        assert 3 < x.shape[0] and x.shape[0] < 32
        return x + 1
        """,
        'n = Dim("n")', "torch.ones(8)", "({0: n},)", "torch.ones(31)",
        {
            "Declare `n` with `min=4`": 'n = Dim("n", min=4)',
            "Declare `n` with `max=31`": 'n = Dim("n", max=31)',
            "Declare `n` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO},)",
            "Declare the dimension as Dim.DYNAMIC": "n = Dim.DYNAMIC",
        },
    ),
    "a raise": Row(
        "x, y",
        """
        if not (x.shape[0] == y.shape[0]):
            raise ValueError("the batches differ")
        return x.sum() + y
        """,
        "", "torch.ones(8), torch.ones(8)",
        '({0: Dim("a")}, {0: Dim("b")})', "torch.ones(3), torch.ones(3)",
        {
            "Use one Dim for `a` and `b`": 'dynamic_shapes = ({0: Dim("a")}, {0: Dim("a")})',
            "Declare `a` and `b` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO}, {0: Dim.AUTO})",
        },
    ),
    "a number that tracing freezes": Row(
        "x", "return x / int(x.shape[0])", 'n = Dim("n")', "torch.ones(8)", "({0: n},)", "torch.ones(8)",
        {
            "Keep the size symbolic": "        return x / x.shape[0]",
            "Declare `n` as Dim.STATIC": "dynamic_shapes = ({0: Dim.STATIC},)",
            "Declare `n` as Dim.AUTO": "dynamic_shapes = ({0: Dim.AUTO},)",
        },
        frozen=True,
    ),
    "a loop": Row(
        "x",
        """
        total = x[0]
        for i in range(x.shape[0]):
            total = total + i
        return total
        """,
        "", "torch.ones(4, 2)", '{"x": {0: Dim("n"), 1: Dim("m")}}', "torch.ones(4, 3)",
        {
            "Declare `n` as Dim.STATIC": 'dynamic_shapes = {"x": {0: Dim.STATIC, 1: Dim("m")}}',
            "Declare `n` as Dim.AUTO": 'dynamic_shapes = {"x": {0: Dim.AUTO, 1: Dim("m")}}',
        },
    ),
}  # fmt: skip


def offered(text: str) -> dict[str, Fix]:
    """Every fix of a text by its title."""
    return {fix.title: fix for _, fixes in proof.offers(text) for fix in fixes}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_offered_exports_and_computes_the_same(name: str, proven_once: Callable[..., None]) -> None:
    row = ROWS[name]
    text = row.text()
    found = offered(text)
    chosen = {title: apply(text, found[title].edits) for title in row.fixes if title in found}
    assert chosen.keys() == row.fixes.keys(), found.keys()
    fixed: list[str] = []
    for title, after in chosen.items():
        assert row.fixes[title] in after.splitlines(), after
        assert found[title].applicability is Applicability.UNSAFE or title == "Keep the size symbolic"
        done = proof.repair(after)
        # What `Dim.AUTO` adopts is still told where somebody asks: export goes through.
        assert not [finding for finding in done.left if Verdict.FAILS in finding.verdict.values()]
        # Where the first fix leaves another demand, that one is fixed as well.
        fixed.append(done.text)

    def prove() -> None:
        with pytest.raises(Exception, match=r"[Cc]onstraint|specialized|Not all values"):
            proof.exported(text, proof.load(text)["inputs"], strict=False)
        for after in fixed:
            proof.prove(text, after) if not row.frozen else exports(after)

    proven_once(prove, text, *fixed)


def exports(text: str) -> None:
    """Exports a program, and compares what it computes of its example."""
    inputs = proof.load(text)["inputs"][:1]
    traced = proof.play(proof.exported(text, inputs, strict=False), inputs)
    assert proof.difference(proof.play(proof.model(text), inputs), traced) == ""


def test_what_nobody_chose_gives_no_dimension_up() -> None:
    """A size that the code freezes is the code's affair: `--fix` does not make it static."""
    text = ROWS["a loop"].text()
    fixes = offered(text)
    assert all(fixes[title].optional and not fixes[title].preferred for title in ROWS["a loop"].fixes)


EQUAL = ROWS["two dimensions that are equal"].text()
EXPORTED = """\
import torch
from torch import nn
from torch.export import Dim, export


class Net(nn.Module):
    def forward(self, x, y):
        return x + y


class Other(nn.Module):
    def forward(self, x, y):
        return x.sum() + y


def exported():
    {body}
"""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            """
            a, b = [Dim(name) for name in "ab"]
            export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=({0: a}, {0: b}))
            """,
            "",
        ),
        (
            """
            a, b = Dim("a"), Dim("b")
            one = Dim("one")
            two = Dim("two")
            export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=({0: one}, {0: two}))
            print(two)
            """,
            "the Dim is used elsewhere",
        ),
        (
            """
            one = Dim("one")
            two = Dim("two")
            shapes = ({0: one}, {0: two})
            export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=shapes)
            export(Other(), (torch.ones(6), torch.ones(6)), dynamic_shapes=shapes)
            """,
            "another export shares the declaration",
        ),
        (
            """
            export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=({0: Dim("a")}, {0: Dim("b")}))
            export(Other(), (torch.ones(6), torch.ones(6)), dynamic_shapes=made())
            """,
            "the dimensions of another export are built by code",
        ),
        (
            """
            export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=({0: Dim("a", max=2**6)}, {0: Dim("b")}))
            """,
            "the range of the Dim is computed",
        ),
        (
            """
            export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=({0: Dim("a", min=6)}, {0: Dim("b", max=6)}))
            """,
            "the range leaves no more than one size",
        ),
    ],
)
def test_a_declaration_that_cannot_be_edited_with_certainty_stays(body: str, reason: str) -> None:
    text = fill(EXPORTED, body=body)
    with refusal.recorded() as refusals:
        titles = offered(text)
    assert not any("one Dim" in title for title in titles), titles
    details = [one.detail for one in refusals]
    assert (reason in details) if reason else not titles, details


def test_dims_of_a_comment_are_not_edited() -> None:
    text = """\
import torch
from torch import nn


# exportdb: args=(torch.ones(6), torch.ones(6)) dynamic_shapes=({0: Dim("a")}, {0: Dim("b")})
class Net(nn.Module):
    def forward(self, x, y):
        return x + y
"""
    with refusal.recorded() as refusals:
        assert not offered(text)
    assert refusals[-1] == (NoFix.DIMS_DECLARED_ELSEWHERE, "the dimensions are not declared in the code of this file")


def test_the_dims_of_a_function_and_its_call_are_edited_where_they_stand() -> None:
    body = """
    rows = Dim("rows", max=32)
    inner = Dim("inner")
    shapes = {"x": {0: rows}, "y": {0: inner}}
    return export(Net(), (torch.ones(6), torch.ones(6)), dynamic_shapes=shapes)
    """
    text = fill(EXPORTED, body=body)
    with pytest.raises(Exception, match="Constraints violated"):
        proof.load(text)["exported"]()
    after = apply(text, offered(text)["Use one Dim for `rows` and `inner`"].edits)
    assert "inner" not in after
    assert '    shapes = {"x": {0: rows}, "y": {0: rows}}\n' in after
    sizes = proof.load(after)["exported"]().module()
    assert torch.equal(sizes(torch.ones(4), torch.ones(4)), torch.full((4,), 2.0))


def test_a_kept_finding_has_the_fixes_of_a_new_one() -> None:
    """What was found is kept between runs as JSON, and its fixes are asked for later."""
    for row in ("two dimensions that are equal", "a multiple", "twice as many"):
        for finding, _ in proof.offers(ROWS[row].text()):
            kept = json.loads(json.dumps(of_finding(finding)))
            assert to_finding(kept) == finding
            # A family with a number of two digits has codes of four.
            kept[0] = "EDB1001"
            assert to_finding(kept) == replace(finding, code="EDB1001")


UNBACKED = "Declare the sizes with `ShapeVar`"


def _in_the_new_form(text: str, version: str) -> list[str]:
    settings = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT), torch_version=version)
    offered = [fix for _, fixes in proof.offers(text, settings) for fix in fixes if fix.title == UNBACKED]
    assert all(fix.optional and fix.applicability is Applicability.UNSAFE for fix in offered)
    return [apply(text, fix.edits) for fix in offered]


def test_dims_become_shape_vars_for_a_torch_that_takes_them() -> None:
    """What comes out was exported with torch 2.15.0."""
    text = fill(
        PROGRAM,
        names="x, y, z",
        body="return x + y + z",
        dims='rows, others = Dim("rows", max=64), Dim("others")',
        args="torch.ones(4, 3), torch.ones(4, 3), torch.ones(3)",
        other="None",
        spec='{"x": {0: rows}, "y": {0: others, 1: Dim.STATIC}, "z": None}',
    )
    assert _in_the_new_form(text, "2.13.0") == []
    (after,) = _in_the_new_form(text, "2.14.1")
    assert 'rows, others = ShapeVar("rows", max=64), ShapeVar("others")' in after
    assert 'ShapesSpec(ParamsSpec({"x": TensorSpec([rows, None]), "y": TensorSpec([others, None])}))' in after
    assert "from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec\n" in after


@pytest.mark.parametrize(
    ("body", "spec"),
    [
        # How many parts there are is asked while tracing in either form.
        ("return x.chunk(2)[0].sum() + y + z", '{"x": {0: Dim("n")}, "y": None, "z": None}'),
        # Two Dims of one name are one dimension.
        ("return x.view(-1, 6).sum() + y + z", '{"x": {0: Dim("n")}, "y": {0: Dim("n")}, "z": None}'),
        # A variable has to stand for itself somewhere.
        ("return x.view(-1, 8).sum() + y + z", '{"x": {0: 2 * Dim("n")}, "y": None, "z": None}'),
    ],
)
def test_what_the_new_form_would_not_mend_stays(body: str, spec: str) -> None:
    text = fill(
        PROGRAM,
        names="x, y, z",
        body=body,
        dims="",
        args="torch.ones(4, 3), torch.ones(4, 3), torch.ones(3)",
        other="None",
        spec=spec,
    )
    assert _in_the_new_form(text, "2.15.0") == []
