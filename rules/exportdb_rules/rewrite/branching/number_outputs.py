"""Python numbers that a branch on a tensor adds to (`total = 0.0`, `total = total + loss`), as tensors from the start.

A number and a tensor without dimensions promote alike, so that arithmetic with tensors gives what it gave.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeVar, cast

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.operands import in_order
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import DEFAULT_FLOAT, SCALAR, Number, TensorSignature, floating
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import ancestors, below, dotted, occurrences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_rules.finding import Edit
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Inference

Whole = TypeVar("Whole", bound=cst.CSTNode)
Literal = cst.Integer | cst.Float
Swap = tuple[cst.CSTNode, cst.CSTNode]


def numbers_as_tensors(place: FixSite, path: Sequence[cst.CSTNode], content: cst.CSTNode) -> list[Swap]:
    """The literals that names which `content` binds begin with, each with the tensor that it shall be; what is inferred
    afterwards knows of them. `path` leads to the statement that `content` is, or stands for.

    Raises:
        FixNotApplicable: a name is used as only a Python number can be.
    """
    swaps: list[Swap] = []
    inference = place.inference
    # Each may build on the others.
    written = names(content).writes
    for name in reversed([name for name in in_order(content) if name in written]):
        found = _literal(place, path, name)
        if found is None:
            continue
        statement, value = found
        inside = inference.before(path)
        inference.run([content], inside)
        # What is a number in any case stays one where the caller gets it.
        returned = not isinstance(inside.get(name), Number)
        for use in occurrences(place.function.body, name):
            _refuse_python_use(use, returned=returned)
        inference.overridden.add(name)
        inference.known[value] = _tensor(value, floats=isinstance(value, cst.Float))
        inside = inference.before(path)
        inference.run([content], inside)
        known = inside.get(name)
        if isinstance(known, TensorSignature) and floating(known.dtype) and isinstance(value, cst.Integer):
            inference.known[value] = _tensor(value, floats=True)
        swaps.append((value, _made(place, statement, value)))
        # A number is bound anew where a tensor would be changed in place.
        for node in below(place.function, cst.AugAssign):
            if dotted(node.target) == name:
                swaps.append((node, _bound_anew(node)))
    return swaps


def numbers_as_they_are_or_tensors(rewrite: Callable[[bool], tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """What a rewrite makes where numbers stay what they are; where it refuses that, what it makes of them as tensors.

    `rewrite` is told whether to take them as tensors. () where it refuses both.
    """
    for as_tensors in (False, True):
        try:
            return rewrite(as_tensors)
        except FixNotApplicable:
            continue
    return ()


def with_swaps(node: Whole, swaps: Sequence[Swap], inference: Inference) -> Whole:
    """A piece of code with nodes replaced by others, of whose parts it is known which nodes of the text they stand for."""
    wanted = {id(old): new for old, new in swaps}
    around = ancestors(node, set(wanted))

    class Swapped(cst.CSTTransformer):
        def on_visit(self, node: cst.CSTNode) -> bool:
            return around is None or id(node) in around

        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            done = wanted.get(id(original_node), updated_node)
            inference.origin[done] = inference.origin.get(original_node, original_node)
            return done

    return cast("Whole", node.visit(Swapped()))


_OPERATORS: Final[dict[type[cst.BaseAugOp], type[cst.BaseBinaryOp]]] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
}


def _bound_anew(node: cst.AugAssign) -> cst.Assign:
    """`n = n + x` of `n += x`."""
    operator = _OPERATORS.get(type(node.operator))
    if operator is None or not isinstance(node.target, cst.Name):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the number is changed in another way")
    loose = isinstance(node.value, (cst.BinaryOperation, cst.IfExp, cst.BooleanOperation, cst.Comparison))
    value = node.value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if loose and not node.value.lpar else node.value  # fmt: skip
    return cst.Assign([cst.AssignTarget(node.target)], cst.BinaryOperation(node.target, operator(), value))


def _tensor(value: Literal, *, floats: bool) -> TensorSignature:
    return TensorSignature(DEFAULT_FLOAT if floats else "int64", SCALAR, frozenset([f"#{id(value)}"]))


def _literal(place: FixSite, path: Sequence[cst.CSTNode], name: str) -> tuple[cst.CSTNode, Literal] | None:
    """The plain assignment of a literal that a name has its value from when the statement begins for the first time."""
    path = list(path)[list(path).index(place.function) :]
    for parent, child in reversed(list(pairwise(path))):
        if not isinstance(parent, cst.IndentedBlock):
            continue
        before = list(parent.body)[: next(i for i, s in enumerate(parent.body) if s is child)]
        for statement in reversed(before):
            if name not in names(statement).writes:
                continue
            only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None  # fmt: skip
            plain = isinstance(only, cst.Assign) and len(only.targets) == 1 and dotted(only.targets[0].target) == name
            if plain and isinstance(only, cst.Assign) and isinstance(only.value, (cst.Integer, cst.Float)):
                return statement, only.value
            return None
    return None


def _made(place: FixSite, statement: cst.CSTNode, value: Literal) -> cst.BaseExpression:
    """The tensor in the place of a literal, beside another one that is there."""
    span = place.tree.span(value)
    path = () if span is None else place.tree.path(span)
    env = place.inference.before(path[: path.index(statement) + 1]) if statement in path else {}
    known = place.inference.known[value]
    floats = isinstance(known, TensorSignature) and floating(known.dtype)
    near = next((n for n, s in env.items() if isinstance(s, TensorSignature) and s.dtype == DEFAULT_FLOAT), "")
    number = f"{value.evaluated_value}.0" if floats and isinstance(value, cst.Integer) else value.value
    dtype = "" if floats else f", dtype={place.torch}.int64"
    zero = value.evaluated_value == 0
    if not near:
        return cst.parse_expression(f"{place.torch}.tensor({number})")
    if zero:
        return cst.parse_expression(f"{near}.new_zeros((){dtype})")
    return cst.parse_expression(f"{near}.new_full((), {number}{dtype})")


def _refuse_python_use(path: tuple[cst.CSTNode, ...], *, returned: bool) -> None:
    """Raises FixNotApplicable where a tensor would not do what the number does; with `returned`, it may be what a function gives."""
    parent = path[-2]
    if isinstance(parent, (cst.BinaryOperation, cst.AugAssign, cst.AssignTarget)):
        return
    given = isinstance(parent, cst.Return) or (isinstance(parent, cst.Element) and isinstance(path[-3], cst.Tuple))
    if returned and (given or (isinstance(parent, cst.DictElement) and parent.value is path[-1])):
        return
    raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
