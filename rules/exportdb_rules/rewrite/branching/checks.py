"""Raises and asserts that look at data, as checks that stay in the exported graph.

Measured on torch 2.13 (each form exported in both modes and run on inputs that pass and that fail):
- `torch._assert_async(tensor, "message")` is kept with its message in both modes.
- `torch._assert_scalar(SymBool, "message")` likewise, for every kind of condition on `.item()` values and sizes.
- `torch._check(SymBool)` is kept in both modes for integer inequalities; a float condition is dropped without a
  word in both, an `==` in strict; `torch._check(SymBool, lambda: "message")` on an unbacked symbol makes strict
  export fail (AttributeError in `_strict_export`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.check_messages import message_of, raised
from exportdb_rules.rewrite.branching.condition import SYMBOL, TENSOR, Predicate, parenthesised
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.fix_site import FixSite, locate
from exportdb_rules.rewrite.known.mutation import is_pure
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, occurrences, only_statement, replace_all, statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from exportdb_rules.rewrite.context import FixContext

ASSERT_TITLE: Final = "Replace the check with torch._assert_async"
RAISE_TITLE: Final = "Replace the raise with torch._assert_async"
SCALAR_TITLE: Final = "Replace the {what} with torch._assert_scalar"
CHECK_TITLE: Final = "Replace the {what} with torch._check"
MESSAGE_TITLE: Final = "Remove the message"

_DEFAULT_MESSAGE: Final = "Assertion failed"


@dataclass(frozen=True, eq=False)
class _Guard:
    """A check in the code: `statement` is what goes, `after` the statements that stay in its place, and `first` the check of
    what Python decides."""

    what: str
    statement: cst.BaseStatement
    path: tuple[cst.CSTNode, ...]
    condition: Predicate
    message: str | None
    after: tuple[cst.BaseStatement, ...]
    first: tuple[cst.BaseStatement, ...] = ()


def assert_to_assert_async(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `assert tensor, message` and `torch._check(tensor)`; () if the assert cannot be kept as it is.

    Always `unsafe`: what was an AssertionError becomes a RuntimeError, and `python -O` no longer drops it.
    """
    return _tensor_check(context, cst.Assert, ASSERT_TITLE)


def raise_to_assert_async(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `if tensor: raise Error(message)`; () if the raise depends on more than its test.

    Always `unsafe`: the exception that eager raises becomes a RuntimeError.
    """
    return _tensor_check(context, cst.If, RAISE_TITLE)


def raise_to_check(context: FixContext) -> tuple[Fix, ...]:
    """The fixes for a raise or an assert that looks at an unbacked value (`.item()`, a data-dependent size).

    With a message: `torch._assert_scalar`, which keeps it. For an integer inequality also `torch._check`, from which
    export learns a bound that later code can rely on. Always `unsafe`: the exception becomes a RuntimeError.
    """
    try:
        place = locate(context)
        guard = _guard(place, (cst.If, cst.Assert))
    except FixNotApplicable:
        return ()
    if guard.condition.kind != SYMBOL:
        return ()
    torch = place.torch
    fixes: list[Fix] = []
    bare = guard.message is None
    if _learnable(place, guard):
        code = f"{torch}._check({guard.condition.code})"
        fixes += _fix(place, guard, code, CHECK_TITLE.format(what=guard.what), preferred=bare)
    message = repr(_DEFAULT_MESSAGE) if guard.message is None else guard.message
    code = f"{torch}._assert_scalar({guard.condition.code}, {message})"
    title = SCALAR_TITLE.format(what=guard.what)
    fixes += _fix(place, guard, code, title, preferred=not any(f.preferred for f in fixes))
    return tuple(sorted(fixes, key=lambda f: not f.preferred))


def message_left_out(context: FixContext) -> tuple[Fix, ...]:
    """The fixes for `torch._check(SymBool, lambda: message)` and its kin: without the message, from which export still learns
    the bound; or as `torch._assert_scalar`, which keeps it. `unsafe`: eager raises another message, or class."""
    try:
        place = locate(context)
        call = place.node
        if not isinstance(call, cst.Call) or len(call.args) != 2 or any(a.star for a in call.args):
            return ()
        condition, made = call.args[0].value, call.args[1].value
        code, function = place.tree.code(condition), place.tree.code(call.func)
        codes = {MESSAGE_TITLE: f"{function}({code})"}
        if isinstance(made, cst.Lambda) and function == f"{place.torch}._check":
            message = message_of(place, made.body)
            codes[SCALAR_TITLE.format(what="torch._check")] = f"{place.torch}._assert_scalar({code}, {message})"
    except FixNotApplicable:
        return ()
    fixes: list[Fix] = []
    for title, new in codes.items():
        edits = validated_edits(place, (place.tree.edit(call, new),))
        if edits:
            fixes.append(Fix(title, Applicability.UNSAFE, edits, preferred=not fixes))
    return tuple(fixes)


def _tensor_check(context: FixContext, kind: type[cst.CSTNode], title: str) -> tuple[Fix, ...]:
    try:
        place = locate(context)
        guard = _guard(place, (kind,))
    except FixNotApplicable:
        return ()
    if guard.condition.kind != TENSOR:
        return ()
    message = "" if guard.message is None else f", {guard.message}"
    code = f"{place.torch}._assert_async({guard.condition.code}{message})"
    return _fix(place, guard, code, title, preferred=True)


def _fix(place: FixSite, guard: _Guard, code: str, title: str, *, preferred: bool) -> tuple[Fix, ...]:
    line = cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine)
    comment = _trailing(guard.statement)
    check: cst.BaseStatement = line if comment is None else line.with_changes(trailing_whitespace=comment)
    leading = getattr(guard.statement, "leading_lines", ())
    if guard.condition.guard:
        # `flag and bad`: what Python decides stays an `if` around the check.
        inner = guard.condition.guard
        check = cst.If(cst.parse_expression(inner), cst.IndentedBlock([check]))
    check = check.with_changes(leading_lines=() if guard.first else leading)
    parent = guard.path[-2]
    if isinstance(parent, cst.If):
        # An `elif` that raises: the test is made where the earlier ones were all false.
        new: cst.CSTNode = parent.with_changes(
            orelse=cst.Else(
                cst.IndentedBlock([*guard.first, check.with_changes(leading_lines=[]), *guard.after]),
                leading_lines=leading,
            )
        )
    elif isinstance(parent, cst.IndentedBlock):
        body: list[cst.CSTNode] = []
        for statement in parent.body:
            body += [*guard.first, check, *guard.after] if statement is guard.statement else [statement]
        new = parent.with_changes(body=body)
    else:
        return ()
    edits = validated_edits(place, replaced(place.tree, parent, new))
    return (Fix(title, Applicability.UNSAFE, edits, preferred=preferred),) if edits else ()


def _guard(place: FixSite, kinds: tuple[type[cst.CSTNode], ...]) -> _Guard:
    """The check whose test holds the finding's expression."""
    path = place.path
    whole = path[-1]
    checking = (f"{place.torch}._check", f"{place.torch}._assert")
    if isinstance(whole, cst.Call) and cst.Assert in kinds and dotted(whole.func) in checking:
        return _torch_check(place, whole, path[:-1])
    for index in range(len(path) - 2, -1, -1):
        node, child = path[index], path[index + 1]
        if isinstance(node, cst.Assert) and cst.Assert in kinds and child is node.test:
            return _assertion(place, node, path[:index])
        if isinstance(node, cst.If) and cst.If in kinds and child is node.test:
            return _raise(place, node, path[: index + 1])
        if isinstance(node, cst.Call) and cst.Assert in kinds and dotted(node.func) in checking:
            return _torch_check(place, node, path[:index])
        if isinstance(node, (cst.BaseCompoundStatement, cst.BaseSmallStatement)):
            break
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a check")


def _torch_check(place: FixSite, node: cst.Call, path: tuple[cst.CSTNode, ...]) -> _Guard:
    """`torch._check` or `torch._assert` of what they do not take: a tensor, or what export cannot negate."""
    if len(path) < 2:
        raise FixNotApplicable(NoFix.CHECK_FORM, "more than a check")
    name = dotted(node.func).rpartition(".")[2]
    line = path[-2]
    if not isinstance(path[-1], cst.Expr) or not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.CHECK_FORM, "more than a check")
    if not 1 <= len(node.args) <= 2 or any(a.star or a.keyword is not None for a in node.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported call")
    env = place.inference.before(path[:-1])
    condition, first = _decided(Predicates(place.inference, place.torch).translate(node.args[0].value, env))
    if first is not None:
        raise FixNotApplicable(NoFix.MIXED_CONDITION, "a part of the condition is decided while tracing")
    message = None
    if len(node.args) == 2:
        made = node.args[1].value
        if isinstance(made, cst.Lambda):
            message = message_of(place, made.body)
        elif name == "_assert":
            message = message_of(place, made)
        else:
            raise FixNotApplicable(NoFix.CHECK_FORM, "the message is computed")
    return _Guard(f"torch.{name}", line, path[:-1], condition, message, ())


def _assertion(place: FixSite, node: cst.Assert, path: tuple[cst.CSTNode, ...]) -> _Guard:
    line = path[-1]
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    env = place.inference.before(path)
    condition, test = _decided(Predicates(place.inference, place.torch).translate(node.test, env))
    message = None if node.msg is None else message_of(place, node.msg)
    first: tuple[cst.BaseStatement, ...] = ()
    if test is not None:
        first = (line.with_changes(body=[node.with_changes(test=test)], trailing_whitespace=cst.TrailingWhitespace()),)
    return _Guard("assert", line, path, condition, message, (), first)


def _raise(place: FixSite, node: cst.If, path: tuple[cst.CSTNode, ...]) -> _Guard:
    *before, line = statements(node.body)
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more is done than to raise")
    raising = line.body[0]
    if not isinstance(raising, cst.Raise) or raising.exc is None or raising.cause is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain raise")
    exception = _spelled_out(raising.exc, before)
    env = place.inference.before(path)
    predicates = Predicates(place.inference, place.torch)
    test = node.test
    node_after: cst.If | None = None
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        condition = predicates.translate(test.expression, env)
    else:
        try:
            condition = predicates.translate(cst.UnaryOperation(cst.Not(), test), env)
        except FixNotApplicable:
            # `a or b`, where b may only be computed if a does not hold: b is tested behind the check of a.
            left, rest = _first_of(test)
            condition = predicates.translate(cst.UnaryOperation(cst.Not(), left), env)
            node_after = node.with_changes(test=rest, leading_lines=[])
    condition, held = _decided(condition)
    first: tuple[cst.BaseStatement, ...] = ()
    if held is not None:
        first = (node.with_changes(test=_inverse(held), orelse=None),)
    after: tuple[cst.BaseStatement, ...] = ()
    if node_after is not None:
        after = (node_after,)
    elif isinstance(node.orelse, cst.If):
        after = (node.orelse,)
    elif node.orelse is not None:
        after = tuple(statements(node.orelse.body))
    return _Guard("raise", node, path, condition, raised(place, exception), after, first)


def _spelled_out(exception: cst.BaseExpression, before: Sequence[cst.BaseStatement]) -> cst.BaseExpression:
    """An exception with what the lines before the raise compute for it in the place of the names that they bind."""
    given: dict[str, cst.BaseExpression] = {}
    for statement in before:
        only = only_statement([statement])
        target = only.targets[0].target if isinstance(only, cst.Assign) and len(only.targets) == 1 else None
        if not isinstance(only, cst.Assign) or not isinstance(target, cst.Name) or not is_pure(statement):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more is done than to raise")
        given[target.value] = _with(given, only.value)
    return _with(given, exception)


def _with(given: Mapping[str, cst.BaseExpression], node: cst.BaseExpression) -> cst.BaseExpression:
    uses = [(way[-1], given[name]) for name in given for way in occurrences(node, name)]
    return replace_all(node, uses) if uses else node


def _first_of(test: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The first of the conditions that `or` joins, and the others."""
    if not isinstance(test, cst.BooleanOperation) or not isinstance(test.operator, cst.Or):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "one condition only")
    if any(True for _ in below(test, cst.NamedExpr)):
        raise FixNotApplicable(NoFix.WALRUS, "a name is bound in the condition")
    if isinstance(test.left, cst.BooleanOperation) and isinstance(test.left.operator, cst.Or):
        first, rest = _first_of(test.left)
        return first, test.with_changes(left=rest)
    return test.left, test.right


def _decided(condition: Predicate) -> tuple[Predicate, cst.BaseExpression | None]:
    """What data decides of a condition that must hold, and what Python decides where both must. Of `guard or ok`, `ok` is
    checked where the guard does not hold."""
    if not condition.guard:
        return condition, None
    guard = cst.parse_expression(condition.guard)
    guard = guard.with_changes(lpar=guard.lpar[1:], rpar=guard.rpar[1:])
    if condition.operator == "and":
        return replace(condition, guard="", operator=""), guard
    return replace(condition, guard=cst.Module([]).code_for_node(_inverse(guard)), operator="and"), None


def _inverse(test: cst.BaseExpression) -> cst.BaseExpression:
    """The opposite of what Python decides."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression
    if (
        isinstance(test, cst.Comparison)
        and len(test.comparisons) == 1
        and isinstance(test.comparisons[0].operator, cst.Equal)
    ):
        return test.with_changes(comparisons=[test.comparisons[0].with_changes(operator=cst.NotEqual())])
    return cst.UnaryOperation(cst.Not(), cst.parse_expression(parenthesised(cst.Module([]).code_for_node(test))))


def _learnable(place: FixSite, guard: _Guard) -> bool:
    """Whether `torch._check` keeps the condition: an inequality of integers."""
    try:
        condition = cst.parse_expression(guard.condition.code)
    except cst.ParserSyntaxError:
        return False
    if not isinstance(condition, cst.Comparison) or len(condition.comparisons) != 1:
        return False
    if isinstance(condition.comparisons[0].operator, cst.Equal):
        return False
    found = [v for v in place.inference.parts(place.node) if isinstance(v, domain.Sym)]
    return bool(found) and all(v.type in ("int", "bool") for v in found)


def _trailing(node: cst.BaseStatement) -> cst.TrailingWhitespace | None:
    """The comment behind an assert, or behind the raise and its `if`, if there is one."""
    if isinstance(node, cst.SimpleStatementLine):
        return node.trailing_whitespace if node.trailing_whitespace.comment is not None else None
    if isinstance(node, cst.If):
        inner = statements(node.body)[-1]
        places = [node.body.header] if isinstance(node.body, cst.IndentedBlock) else []
        if isinstance(inner, cst.SimpleStatementLine):
            places.append(inner.trailing_whitespace)
        if isinstance(node.body, cst.SimpleStatementSuite):
            places.append(node.body.trailing_whitespace)
        for whitespace in places:
            if whitespace.comment is not None:
                return whitespace
    return None
