"""Python numbers that a branch on a tensor adds to (`total = 0.0`, `total = total + loss`), as tensors from the start.

A number and a tensor without dimensions promote alike, so that arithmetic with tensors gives what it gave.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeVar, cast

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.item_elimination import in_its_line, kept_tensor
from exportdb_rules.rewrite.branching.operands import in_order
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import DEFAULT_FLOAT, SCALAR, Number, TensorSignature, floating
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import ancestors, below, dotted, occurrences, only_statement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Inference

Whole = TypeVar("Whole", bound=cst.CSTNode)
Made = TypeVar("Made")
Literal = cst.Integer | cst.Float
Swap = tuple[cst.CSTNode, cst.CSTNode]


def numbers_as_tensors(
    place: FixSite, path: Sequence[cst.CSTNode], content: cst.CSTNode, *, within: bool = True
) -> list[Swap]:
    """The literals that names which `content` binds begin with, each with the tensor that it shall be; what is inferred
    afterwards knows of them. `path` leads to the statement that `content` is, or stands for; `within` it the literals
    that they get become tensors too.

    Raises:
        FixNotApplicable: a name is used as only a Python number can be.
    """
    swaps: list[Swap] = []
    inference = place.inference
    # Each may build on the others.
    written = names(content).writes
    wanted = dict.fromkeys(reversed([name for name in in_order(content) if name in written]), False)
    number = 0
    while number < len(wanted):
        name, joined = list(wanted.items())[number]
        number += 1
        found = first_literal(place, path, name)
        if found is None:
            if joined:
                raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number does not begin with a literal")
            continue
        statement, value = found
        inside = inference.before(path)
        inference.run([content], inside)
        read = _read(place, content, name)
        # What is a number in any case stays one where the caller gets it.
        returned = bool(read) or not isinstance(inside.get(name), Number)
        for use in occurrences(place.function.body, name):
            more, replaced = _refuse_python_use(place, use, returned=returned)
            wanted |= {one: True for one in more if one not in wanted}
            swaps += [swap for swap in replaced if all(swap[0] is not old for old, _ in swaps)]
        inference.overridden.add(name)
        inference.known |= {call: known for call, _, known in read}
        swaps += [(call, receiver) for call, receiver, _ in read]
        literals = [(statement, value), *_reset(content, name, statement)]
        for floats in (any(isinstance(one, cst.Float) for _, one in literals), True):
            inference.known |= {one: _tensor(one, floats=floats) for _, one in literals}
            inside = inference.before(path)
            inference.run([content], inside)
            known = inside.get(name)
            if not isinstance(known, TensorSignature) or not floating(known.dtype):
                break
        # `torch.where` takes a number as it is.
        swaps += [(one, _made(place, line, one)) for line, one in (literals if within else literals[:1])]
        # A number is bound anew where a tensor would be changed in place.
        for node in below(place.function, cst.AugAssign):
            if dotted(node.target) == name:
                swaps.append((node, _bound_anew(node)))
    return swaps


def _reset(content: cst.CSTNode, name: str, first: cst.CSTNode) -> list[tuple[cst.CSTNode, Literal]]:
    """The lines of a piece of code that give a name a literal again, and these."""
    found: list[tuple[cst.CSTNode, Literal]] = []
    for line in below(content, cst.SimpleStatementLine):
        only = line.body[0] if len(line.body) == 1 else None
        value = (
            only.value if isinstance(only, cst.Assign) and [dotted(t.target) for t in only.targets] == [name] else None
        )
        if isinstance(value, (cst.Integer, cst.Float)) and line is not first:
            found.append((line, value))
    return found


def _read(
    place: FixSite, content: cst.CSTNode, name: str
) -> list[tuple[cst.Call, cst.BaseExpression, TensorSignature]]:
    """The calls of `.item()` in what a name is given, each with the tensor to put in its place.

    Raises:
        FixNotApplicable: the tensor is not known, or is changed in place.
    """
    found: list[tuple[cst.Call, cst.BaseExpression, TensorSignature]] = []
    given = [a.value for a in below(content, cst.Assign) if [dotted(t.target) for t in a.targets] == [name]]
    given += [a.value for a in below(content, cst.AugAssign) if dotted(a.target) == name]
    for call in [call for value in given for call in below(value, cst.Call)]:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "item":
            continue
        receiver = call.func.value
        known = in_its_line(place, call, receiver)
        changed = side_effects([place.function.body]).names & names(receiver).reads
        if not isinstance(known, TensorSignature) or known.shape != SCALAR or known.dtype is None or changed:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what the number is read from")
        found.append((call, kept_tensor(place, call, receiver), known))
    return found


def numbers_as_they_are_or_tensors(rewrite: Callable[[bool], tuple[Made, ...]]) -> tuple[Made, ...]:
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


def first_literal(place: FixSite, path: Sequence[cst.CSTNode], name: str) -> tuple[cst.CSTNode, Literal] | None:
    """The plain assignment of a literal that a name has its value from when the statement begins for the first time."""
    path = list(path)[list(path).index(place.function) :]
    for parent, child in reversed(list(pairwise(path))):
        if not isinstance(parent, cst.IndentedBlock):
            continue
        before = list(parent.body)[: next(i for i, s in enumerate(parent.body) if s is child)]
        for statement in reversed(before):
            if name not in names(statement).writes:
                continue
            only = only_statement([statement])
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


def _refuse_python_use(
    place: FixSite, path: tuple[cst.CSTNode, ...], *, returned: bool
) -> tuple[list[str], list[Swap]]:
    """What else must be a tensor where a number is one, and what is written otherwise there; with `returned`, the number may
    be what a function gives.

    Raises:
        FixNotApplicable: a tensor would not do what the number does.
    """
    parent = path[-2]
    if isinstance(parent, (cst.BinaryOperation, cst.AugAssign, cst.AssignTarget)):
        return [], []
    if isinstance(parent, cst.Assign):
        into = [one.target for one in parent.targets]
        if all(isinstance(one, cst.Subscript) and place.inference.is_tensor(one.value) for one in into):
            return [], []
    given = isinstance(parent, cst.Return) or (isinstance(parent, cst.Element) and isinstance(path[-3], cst.Tuple))
    if returned and (given or (isinstance(parent, cst.DictElement) and parent.value is path[-1])):
        return [], []
    call = path[-3] if isinstance(parent, cst.Arg) and parent.keyword is None and not parent.star else None
    if isinstance(call, cst.Call):
        return _passed(place, call)
    raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")


def _passed(place: FixSite, call: cst.Call) -> tuple[list[str], list[Swap]]:
    """What `torch.tensor(n)`, `max(n, m)` and `min(n, 1)` are of tensors, and the names that must be some for that."""
    code, function = place.tree.code, dotted(call.func)
    given = [argument.value for argument in call.args if argument.keyword is None and not argument.star]
    if function == f"{place.torch}.tensor" and len(given) == len(call.args) == 1:
        return [], [(call, given[0])]
    tensors = [one.value for one in given if isinstance(one, cst.Name)]
    if function not in ("max", "min") or not len(given) == len(call.args) == 2 or not tensors:
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    bound = [one for one in given if isinstance(one, cst.Integer)]
    if len(tensors) + len(bound) < 2:
        raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the number is used as a Python number")
    text = f"{place.torch}.{function}imum({code(given[0])}, {code(given[1])})"
    if bound:
        text = f"{tensors[0]}.clamp({'min' if function == 'max' else 'max'}={bound[0].value})"
    return tensors, [(call, cst.parse_expression(text))]
