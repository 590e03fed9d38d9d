"""A number that the first call computes and every later one uses, as a buffer and a flag that says whether it is there.

`if self.scale is None: self.scale = x.abs().max()` is decided while tracing, for the first call. A buffer keeps the number,
another one that it was computed; `torch.where` between the two exports in both modes (measured on torch 2.13).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.buffers.number_types import check_partner
from exportdb_rules.rewrite.buffers.state import missing_at_first, registered
from exportdb_rules.rewrite.buffers.state_uses import (
    Path,
    attribute_paths,
    functions_around,
    of_self,
    refuse_taken,
    set_by_constructor,
    stored,
)
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import SCALAR, TensorSignature, floating
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, statements
from exportdb_rules.torch_api import only_computes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = 'Store in a buffer with an "initialized" flag'


def first_value_to_buffer(context: FixContext) -> tuple[Fix, ...]:
    """`if self.n is None: self.n = x.mean()` as a write to a buffer that is made once. Always `unsafe`: the value is
    computed on every call, and has no history."""
    return make_fix(context, TITLE, Applicability.UNSAFE, _kept)


def _kept(place: FixSite) -> Iterable[Edit]:
    name, made = missing_at_first(place)
    writes, reads = _uses(place, name)
    if len(writes) != 1:
        raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "the attribute is written more than once")
    branch, assign = _guarded(writes[0], name)
    value = _value(place, assign)
    flag = f"has_{name}"
    refuse_taken(place, flag)
    block = writes[0][writes[0].index(branch) - 1]
    for read in reads:
        if read[-2] is branch.test:
            continue
        _refuse_before(read, block, branch)
        if not isinstance(read[-2], cst.BinaryOperation):
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is passed on")
        check_partner(place, read[-2].right if read[-2].left is read[-1] else read[-2].left, double=True)
    torch = place.torch
    span = place.tree.span(branch)
    assert span is not None
    indent = " " * (span.start.column - 1)
    code = f"self.{name}.copy_({torch}.where(self.{flag}, self.{name}, {value}))"
    lines = [
        registered(name, f"{torch}.zeros((), dtype={torch}.float64)"),
        registered(flag, f"{torch}.tensor(False)"),
    ]
    return made.replaced(place, lines), Edit(span, f"{code}\n{indent}self.{flag}.fill_(True)")


def _uses(place: FixSite, name: str) -> tuple[list[Path], list[Path]]:
    """Where the attribute is written and read outside the constructor, all of it in the method of the place.

    Raises:
        FixNotApplicable: other code uses it too.
    """
    writes: list[Path] = []
    reads: list[Path] = []
    for path, _ in attribute_paths(place, name):
        if set_by_constructor(place, path):
            continue
        if not of_self(place, path) or functions_around(path) != [place.function]:
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "other code uses the attribute too")
        if any(isinstance(n, (cst.Lambda, cst.BaseComp, cst.For, cst.While, cst.Try)) for n in path):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported use")
        (writes if stored(path) else reads).append(path)
    return writes, reads


def _guarded(write: Path, name: str) -> tuple[cst.If, cst.Assign]:
    """The `if self.n is None` whose only statement the write is."""
    branch = next((n for n in reversed(write) if isinstance(n, cst.If)), None)
    if branch is None or branch.orelse is not None or not isinstance(write[write.index(branch) - 1], cst.IndentedBlock):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is not computed where it is missing")
    test = branch.test
    target = test.comparisons[0] if isinstance(test, cst.Comparison) and len(test.comparisons) == 1 else None
    asked = (
        isinstance(test, cst.Comparison)
        and target is not None
        and dotted(test.left) == f"self.{name}"
        and isinstance(target.operator, cst.Is)
        and dotted(target.comparator) == "None"
    )
    body = statements(branch.body)
    only = body[0] if len(body) == 1 else None
    assign = only.body[0] if isinstance(only, cst.SimpleStatementLine) and len(only.body) == 1 else None
    if not asked or not isinstance(assign, cst.Assign) or assign is not write[-3] or len(assign.targets) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it is not computed where it is missing")
    return branch, assign


def _value(place: FixSite, assign: cst.Assign) -> str:
    """The code of the first value.

    Raises:
        FixNotApplicable: it may have dimensions, or may not be computed on every call.
    """
    known = place.inference.infer(assign.value, place.environment())
    if (
        not isinstance(known, TensorSignature)
        or known.shape != SCALAR
        or known.dtype is None
        or not floating(known.dtype)
    ):
        raise FixNotApplicable(NoFix.NOT_A_SCALAR, "the value may be more than a scalar")
    for call in below(assign.value, cst.Call):
        if not isinstance(call.func, cst.Attribute) or not (
            only_computes(call.func.attr.value) or call.func.attr.value == "detach"
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the value is not to be computed on every call")
    if names(assign.value).writes:
        raise FixNotApplicable(NoFix.WALRUS, "a name is bound in the value")
    code = parenthesised(place.tree.code(assign.value))
    return code if code.endswith(".detach()") else f"{code}.detach()"


def _refuse_before(read: Path, block: cst.CSTNode, branch: cst.If) -> None:
    """Raises FixNotApplicable unless a read stands behind the `if` in its block."""
    if block not in read or not isinstance(block, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "it is read where it may be missing")
    child = read[read.index(block) + 1]
    order = [id(s) for s in block.body]
    if order.index(id(child)) <= order.index(id(branch)):
        raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "it is read where it may be missing")
