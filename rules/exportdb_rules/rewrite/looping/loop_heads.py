"""The head of a `for` as what a while_loop needs: a counter, how far it counts, and what a round begins with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import calling
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import (
    INTEGERS,
    SCALAR,
    Number,
    TensorSignature,
    floating,
    numeric,
    row_shape,
)
from exportdb_rules.rewrite.known.views import outlives
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, line, occurrences

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.branching.branches import Builder
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment


def enclosing_loop(place: FixSite) -> cst.While | cst.For:
    """The loop whose head holds the finding's expression. Raises FixNotApplicable where there is none."""
    path = place.path
    for index in range(len(path) - 2, -1, -1):
        node, child = path[index], path[index + 1]
        if isinstance(node, cst.While) and child is node.test:
            return node
        if isinstance(node, cst.For) and child is node.iter:
            return node
        if isinstance(node, cst.BaseStatement):
            break
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the expression is not the head of a loop")


@dataclass(frozen=True)
class Head:
    """`counter` is a tensor that goes from `start` up to `limit`, names both. `before` are the statements that make them;
    `first` those that a round begins with, `bound` the signatures of the names that these bind."""

    counter: str
    limit: str
    start: str
    before: Statements
    first: Statements
    bound: Environment


def head(place: FixSite, builder: Builder, node: cst.For, env: Environment, live: frozenset[str]) -> Head:
    """The head of a loop over a range, or over the rows of tensors. Raises FixNotApplicable for any other."""
    call = node.iter
    if isinstance(call, cst.Call) and dotted(call.func) == "range":
        return _range(place, builder, node, call, env, live)
    return _rows(place, builder, node, env, live)


def _range(
    place: FixSite, builder: Builder, node: cst.For, call: cst.Call, env: Environment, live: frozenset[str]
) -> Head:
    if not isinstance(node.target, cst.Name) or any(a.star or a.keyword is not None for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain loop over a range")
    args = [a.value for a in call.args]
    start = "0"
    if len(args) == 2 and isinstance(args[0], cst.Integer):
        start, args = args[0].value, args[1:]
    if len(args) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a range with a start or a step")
    counter = node.target.value
    if counter in live:
        raise FixNotApplicable(NoFix.LOOP_NAME_USED_LATER, "the counter is used after the loop")
    if counter == "_":
        counter = builder.name("i")
    limit = builder.name("rounds")
    return Head(counter, limit, start, [line(f"{limit} = {_limit(place, args[0], env)}")], [], {})


def _limit(place: FixSite, bound: cst.BaseExpression, env: Environment) -> str:
    """The number of rounds as a tensor without dimensions."""
    tensor, converted = _read(bound)
    known = None if tensor is None else place.inference.infer(tensor, dict(env))
    if tensor is not None and isinstance(known, TensorSignature):
        code = place.tree.code(tensor)
        if known.shape != SCALAR:
            code = f"{parenthesised(code)}.reshape(())"
        # range() takes integers only, so the tensor holds one, unless int() made it one.
        told = known.observed is not None and known.observed[0] in INTEGERS
        return f"{parenthesised(code)}.to({place.torch}.int64)" if converted and not told else code
    value = place.inference.value(bound)
    if value is None or not all(type(c) is domain.Sym and c.type in ("int", "number") for c in lattice.choices(value)):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "the number of iterations is not known to be an integer")
    return f"{place.torch}.tensor({place.tree.code(bound)})"


def _read(node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, bool]:
    """`t` of `t.item()`, `int(t)` and `int(t.item())`, and whether `int` is among them."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "item":
        return node.func.value, False
    if isinstance(node, cst.Call) and dotted(node.func) == "int" and len(node.args) == 1:
        return _read(node.args[0].value)[0] or node.args[0].value, True
    return None, False


def _rows(place: FixSite, builder: Builder, node: cst.For, env: Environment, live: frozenset[str]) -> Head:
    """A loop over the rows of a tensor; `enumerate` and `zip` of such."""
    over = side_by_side(node)
    if over.strict:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the loop raises where the sizes differ")
    counter = over.counter
    if {*over.rows, counter} & live:
        raise FixNotApplicable(NoFix.LOOP_NAME_USED_LATER, "a row is used after the loop")
    if counter in ("", "_"):
        counter = builder.name("i")
    before: Statements = []
    first: Statements = []
    bound: Environment = {}
    held: list[str] = []
    for name, one in zip(over.rows, over.sources, strict=True):
        known = place.inference.infer(one, dict(env))
        if not isinstance(known, TensorSignature) or known.shape == SCALAR:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a loop over a tensor")
        code = place.tree.code(one)
        if not isinstance(one, cst.Name):
            code = builder.name("rows")
            before.append(line(f"{code} = {place.tree.code(one)}"))
        held.append(code)
        if not floating(known.dtype) and _indexes(place, node.body, name):
            raise FixNotApplicable(NoFix.UNTRACEABLE, "in a while_loop a zero-dimensional index is read as a number")
        bound[name] = TensorSignature(
            known.dtype, row_shape(known.shape), frozenset([f"#row {name}"]), known.maybe_noncontiguous
        )
        row = cst.parse_expression(f"{code}[{counter}.reshape(1)].squeeze(0)")
        place.inference.known[row] = bound[name]
        first.append(cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], row)]))
    limit = builder.name("rounds")
    sizes = [f"{code}.shape[0]" for code in held]
    before.append(line(f"{limit} = {place.torch}.tensor({smallest_of(place, sizes)})"))
    return Head(counter, limit, "0", before, first, bound)


def smallest_of(place: FixSite, sizes: Sequence[str]) -> str:
    """The smallest of some sizes: `min` would compare them, and tie one to the other."""
    smallest = sizes[0]
    for other in sizes[1:]:
        smallest = f"{place.torch}.sym_min({smallest}, {other})"
    return smallest


@dataclass(frozen=True)
class SideBySide:
    """What a loop goes over, and the names that it gives to a row of each; `counter` is that of the round's number, '' where
    it has none. `strict` says that the loop raises for different sizes."""

    counter: str
    rows: list[str]
    sources: list[cst.BaseExpression]
    strict: bool


def side_by_side(node: cst.For) -> SideBySide:
    """The parts of `for row in x`, and of `zip` and `enumerate` of such."""
    source, target, counter, strict = node.iter, node.target, "", False
    if isinstance(source, cst.Call) and dotted(source.func) == "enumerate" and len(source.args) == 1:
        pair = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else []
        if len(pair) != 2 or not isinstance(pair[0], cst.Name):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported target")
        source, target, counter = source.args[0].value, pair[1], pair[0].value
    sources, given = [source], [target]
    if isinstance(source, cst.Call) and dotted(source.func) == "zip":
        if not isinstance(target, cst.Tuple):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported target")
        sources, strict = _zipped(source)
        given = [e.value for e in target.elements]
    rows = [one.value for one in given if isinstance(one, cst.Name)]
    if not len(rows) == len(given) == len(sources) or len({*rows, counter}) != len(rows) + 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported target")
    return SideBySide(counter, rows, sources, strict)


def _zipped(call: cst.Call) -> tuple[list[cst.BaseExpression], bool]:
    """What `zip` takes, and whether it raises for different sizes."""
    strict = [a.value for a in call.args if a.keyword is not None and a.keyword.value == "strict"]
    given = [a for a in call.args if a.keyword is None]
    told = [dotted(value) for value in strict]
    if any(a.star for a in given) or len(given) + len(strict) < len(call.args) or told not in ([], ["True"], ["False"]):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported zip")
    return [a.value for a in given], told == ["True"]


def _indexes(place: FixSite, body: cst.CSTNode, row: str) -> bool:
    """Whether a row, or what is computed from it, stands in an index of something else, and may have no dimensions."""
    derived = {row}
    before = 0
    while len(derived) > before:
        before = len(derived)
        for assign in below(body, cst.Assign):
            if names(assign.value).reads & derived:
                derived |= {name.value for target in assign.targets for name in targets(target.target)}
    for subscript in below(body, cst.Subscript):
        if isinstance(subscript.value, cst.Name) and subscript.value.value == row:
            continue
        for element in subscript.slice:
            value = place.inference.value(element.slice.value) if isinstance(element.slice, cst.Index) else None
            ranks = {c.rank if type(c) is domain.Tensor else 0 for c in lattice.choices(value)} if value else {None}
            if names(element).reads & derived and (None in ranks or 0 in ranks):
                return True
    return False


# --- the counter in the body --------------------------------------------------------------------------------------------


def refuse_python_use(place: FixSite, body: cst.BaseSuite, counter: str) -> None:
    """Raises FixNotApplicable where the body does with the counter what only a Python int can: it is a tensor afterwards."""
    for path in occurrences(body, counter):
        if not _serves(place, path):
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "the counter is used as a Python number")


def counts_only(place: FixSite, loop: cst.While | cst.For, name: str, numbers: Set[str]) -> bool:
    """Whether a tensor does wherever a loop has a number of its own: in tests, in what such `numbers` become, and where
    tensors meet it."""
    return all(_counts_there(place, path, numbers) for path in occurrences(loop, name))


def _counts_there(place: FixSite, path: tuple[cst.CSTNode, ...], numbers: Set[str]) -> bool:
    if _serves(place, path):
        return True
    at = len(path) - 1
    while isinstance(path[at - 1], (cst.BinaryOperation, cst.UnaryOperation, cst.ComparisonTarget, cst.Comparison, cst.BooleanOperation)):  # fmt: skip
        at -= 1
        here = path[at]
        if isinstance(here, cst.BinaryOperation) and isinstance(here.operator, (cst.Divide, cst.Power)):
            # Of integers as tensors, these are something else.
            return False
    above, here = path[at - 1], path[at]
    if isinstance(above, (cst.If, cst.While)):
        return here is above.test
    if isinstance(above, cst.AugAssign):
        return dotted(above.target) in numbers and isinstance(above.operator, (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign))  # fmt: skip
    if isinstance(above, cst.AssignTarget):
        return here is path[-1]
    return isinstance(above, cst.Assign) and {dotted(t.target) for t in above.targets} <= numbers


def _serves(place: FixSite, path: tuple[cst.CSTNode, ...]) -> bool:
    """Whether a tensor does where the counter stands: an operand of tensors, an index of one."""
    at = len(path) - 1
    while at > 0 and isinstance(path[at - 1], (cst.BinaryOperation, cst.UnaryOperation)):
        at -= 1
        if place.inference.is_tensor(path[at]):
            return True
    if _compared(place, path[: at + 1]):
        return True
    index, element, subscript = (path[at - 1], path[at - 2], path[at - 3]) if at >= 3 else (None, None, None)
    if (
        isinstance(index, cst.Index)
        and isinstance(element, cst.SubscriptElement)
        and isinstance(subscript, cst.Subscript)
    ):
        others = [e for e in subscript.slice if e is not element]
        return place.inference.is_tensor(subscript.value) and all(isinstance(e.slice, cst.Slice) for e in others)
    return False


def _compared(place: FixSite, path: tuple[cst.CSTNode, ...]) -> bool:
    """Whether the last node of a path is compared with a tensor, and nothing else."""
    above = [n for n in path[-3:-1] if isinstance(n, cst.Comparison)]
    return len(above) == 1 and len(above[0].comparisons) == 1 and place.inference.is_tensor(above[0])


def scalar_indices(place: FixSite, content: cst.CSTNode, env: Environment) -> frozenset[str]:
    """The names of tensors without dimensions that stand in an index.

    Raises:
        FixNotApplicable: of a tensor in an index it is not known whether it has dimensions.
    """
    found: set[str] = set()
    for subscript in below(content, cst.Subscript):
        for index in [e.slice.value for e in subscript.slice if isinstance(e.slice, cst.Index)]:
            if _has_dimensions(place, index):
                continue
            for name in below(index, cst.Name):
                scalar = is_scalar(place, name, env) if name.value in names(index).reads else False
                if scalar is None:
                    raise FixNotApplicable(
                        NoFix.UNTRACEABLE, "an index that may be zero-dimensional is read as a number in a while_loop"
                    )
                if scalar:
                    found.add(name.value)
    return frozenset(found)


def _has_dimensions(place: FixSite, index: cst.BaseExpression) -> bool:
    """Whether an index is known to be a tensor with dimensions: `i.reshape(1)` needs no more."""
    kinds = place.inference.kinds(index)
    return bool(kinds) and all(type(c) is domain.Tensor and c.rank is not None and c.rank > 0 for c in kinds)


def is_scalar(place: FixSite, name: cst.Name, env: Environment) -> bool | None:
    """Whether a name in an index is a tensor without dimensions; None: perhaps."""
    known = env.get(name.value)
    if isinstance(known, TensorSignature):
        if known.shape == SCALAR:
            return known.dtype != "bool"
        if known.dtype == "bool" or numeric(known.shape) is not None:
            return False
    value = place.inference.value(name)
    ranks = {c.rank for c in lattice.choices(value) if type(c) is domain.Tensor} if value is not None else set[None]()
    if ranks == {0}:
        return True
    return None if ranks & {0, None} else False


def with_indices(body: Statements, counters: Set[str], place: FixSite) -> Statements:
    """The statements with `t[i]` as `t[i.reshape(1)].squeeze(0)`: in a while_loop an index without dimensions would be
    read as a number."""
    inference = place.inference
    _refuse_views(body, counters)

    class Reshape(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
            done = updated_node
            if isinstance(original_node, cst.Subscript) and isinstance(updated_node, cst.Subscript):
                done = _reshaped(place, original_node, updated_node, counters)
            elif isinstance(original_node, (cst.AssignTarget, cst.AugAssign)):
                # A write needs no squeeze.
                target = getattr(updated_node, "target", None)
                if isinstance(target, cst.Call) and isinstance(target.func, cst.Attribute) and isinstance(target.func.value, cst.Subscript):  # fmt: skip
                    done = updated_node.with_changes(target=target.func.value)
            if isinstance(original_node, cst.Assign) and isinstance(done, cst.Assign):
                done = _stored(place, original_node, done)
            if done is not original_node:
                inference.origin[done] = inference.origin.get(original_node, original_node)
            return done

    return [cst.ensure_type(statement.visit(Reshape()), cst.BaseStatement) for statement in body]


def _refuse_views(body: Statements, counters: Set[str]) -> None:
    """Raises FixNotApplicable where `t[i]`, a view that becomes a copy, is written through, or kept while its tensor is written."""
    written = side_effects(body).names
    for counter in counters:
        for path in (path for statement in body for path in occurrences(statement, counter)):
            at = max((k for k, n in enumerate(path[:-1]) if isinstance(n, cst.Subscript)), default=-1)
            if at < 0 or path[at + 1] is cst.ensure_type(path[at], cst.Subscript).value:
                continue
            kept = outlives(path[: at + 1])
            base = path[at]
            while isinstance(base, (cst.Subscript, cst.Attribute)):
                base = base.value
            if kept is None or (kept and dotted(base) in written):
                raise FixNotApplicable(
                    NoFix.ALIASED_WRITE, "a row that is a view is written, or kept while its tensor is"
                )


def _stored(place: FixSite, original: cst.Assign, node: cst.Assign) -> cst.Assign:
    """`t[:, i] = v` as `t[:, i.reshape(1)] = v.unsqueeze(1)`: what is written has the dimension too."""
    old, new = original.targets[0].target, node.targets[0].target
    if new is old or not isinstance(old, cst.Subscript):
        return node
    at = next((i for i, e in enumerate(old.slice) if isinstance(e.slice, cst.Index)), None)
    if at is None:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the size of what is written depends on data")
    span = place.tree.span(old)
    path = () if span is None else place.tree.path(span)
    if not path:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "what is written is not of the text")
    line_at = max(i for i, n in enumerate(path) if isinstance(n, cst.BaseStatement))
    env = place.inference.before(path[: line_at + 1])
    value, whole = place.inference.infer(original.value, env), place.inference.infer(old, env)
    if at == 0 or isinstance(value, Number) or (isinstance(value, TensorSignature) and value.shape == SCALAR):
        return node
    known = [numeric(s.shape) if isinstance(s, TensorSignature) else None for s in (value, whole)]
    if len(original.targets) != 1 or known[0] is None or known[0] != known[1]:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "it is not known how what is written is laid over the place")
    return node.with_changes(value=calling(node.value, f"unsqueeze({at})"))


def _reshaped(place: FixSite, original: cst.Subscript, node: cst.Subscript, counters: Set[str]) -> cst.BaseExpression:
    slices = list(node.slice)
    changed: list[int] = []
    for position, (old, element) in enumerate(zip(original.slice, node.slice, strict=True)):
        if not isinstance(old.slice, cst.Index) or not isinstance(element.slice, cst.Index):
            continue
        read = names(old).reads & counters
        if not read or _is_mask(old.slice.value) or _has_dimensions(place, old.slice.value):
            continue
        _refuse_dimensions(place, old.slice.value, counters)
        value = element.slice.value
        loose = not isinstance(value, (cst.Name, cst.Call, cst.Attribute, cst.Subscript)) and not value.lpar
        inner = value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if loose else value
        shell = cst.ensure_type(cst.parse_expression("_.reshape(1)"), cst.Call)
        made = shell.with_changes(func=cst.ensure_type(shell.func, cst.Attribute).with_changes(value=inner))
        slices[position] = element.with_changes(slice=element.slice.with_changes(value=made))
        changed.append(position)
    if not changed:
        return node
    indices = [at for at, element in enumerate(node.slice) if isinstance(element.slice, cst.Index)]
    ellipsis = any(isinstance(e.slice, cst.Index) and isinstance(e.slice.value, cst.Ellipsis) for e in node.slice)
    if ellipsis or indices != list(range(indices[0], indices[0] + len(indices))):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "indices that are not side by side")
    taken = cst.Attribute(node.with_changes(slice=slices), cst.Name("squeeze"))
    return cst.Call(taken, [cst.Arg(cst.Integer(str(indices[0])))])


def _choices(place: FixSite, node: cst.BaseExpression) -> Sequence[domain.Value]:
    value = place.inference.value(node)
    return (domain.TOP,) if value is None else lattice.choices(value)


def _is_mask(index: cst.BaseExpression) -> bool:
    """Whether an index is a truth value, of whatever dimensions: it is never read as a number."""
    if isinstance(index, cst.UnaryOperation) and isinstance(index.operator, (cst.BitInvert, cst.Not)):
        return _is_mask(index.expression)
    if isinstance(index, cst.BinaryOperation) and isinstance(index.operator, (cst.BitAnd, cst.BitOr)):
        return _is_mask(index.left) and _is_mask(index.right)
    return isinstance(index, cst.Comparison)


def _refuse_dimensions(place: FixSite, index: cst.BaseExpression, counters: Set[str]) -> None:
    """Raises FixNotApplicable unless an index of numbers without dimensions has none itself: `x[rows[i]]` and `x[i + rows]`
    may have some."""
    inner = any(True for _ in below(index, cst.Subscript)) or any(True for _ in below(index, cst.Call))
    others = names(index).reads - counters
    plain = all(type(v) in (domain.Const, domain.Sym, domain.Static) for n in below(index, cst.Name) if n.value in others for v in _choices(place, n))  # fmt: skip
    if not inner and plain:
        return
    value = place.inference.value(index)
    if value is None or not all(type(c) is domain.Tensor and c.rank == 0 for c in lattice.choices(value)):
        raise FixNotApplicable(NoFix.NOT_A_SCALAR, "an index that may be more than a scalar")
