"""What only people read (log lines, prints, warnings), kept out of the export.

Measured on torch 2.13: a formatted number of a tensor fails in non-strict export, a branch that does no more than to
log fails like any other, and a `print` of a tensor is dropped from the graph without a word. Under
`if not torch.compiler.is_exporting():` eager does as before, and export never sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst
from packaging.version import InvalidVersion, Version

from exportdb_rules.finding import Applicability
from exportdb_rules.messages import is_message
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.known.liveness import arms, contains, live_out
from exportdb_rules.rewrite.known.modules import definitions
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import children, dotted, only_statement, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Run in eager only (skip under export)"
CHECK: Final = "Check in eager only (skip under export)"

_IMMOVABLE: Final = (
    cst.Return, cst.Raise, cst.Break, cst.Continue, cst.Yield, cst.Await, cst.Global, cst.Nonlocal, cst.Del,
    cst.NamedExpr, cst.Import, cst.ImportFrom, cst.FunctionDef, cst.ClassDef, cst.Assert,
)  # fmt: skip


def eager_only(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a branch, or a line, that computes nothing but what is printed or logged; () if it does more.

    `safe`: eager does as before.
    """

    def guarded(place: FixSite) -> Iterable[Edit]:
        old, new = _branch(place, context) or _line(place, context)
        return replaced(place.tree, old, new)

    return make_fix(context, TITLE, Applicability.SAFE, guarded, any_types=True)


def check_in_eager(context: FixContext, *, asserts: bool = True) -> tuple[Fix, ...]:
    """The fix for a branch that does nothing but raise, or for an assert: for what no assertion of the graph expresses.

    `unsafe`: the exported program computes with what eager rejects. `asserts`: of asserts too; not where another finding is
    about the whole test, and has the fix.
    """

    def guarded(place: FixSite) -> Iterable[Edit]:
        node = _check(place, asserts=asserts)
        if isinstance(node, cst.SimpleStatementLine):
            return in_eager(place, context, node)
        if any(isinstance(above, cst.Try) for above in place.upto(node)):
            raise FixNotApplicable(NoFix.INSIDE_TRY, "what is raised may be caught")
        changed = side_effects([node.test])
        if changed.names or changed.unsupported or contains([node.test], cst.NamedExpr, cst.Await):
            raise FixNotApplicable(NoFix.SIDE_EFFECT, "the test has a side effect")
        unknown = _calls_that_may_write([node.test])
        if unknown:
            raise FixNotApplicable(NoFix.SIDE_EFFECT, unknown)
        if isinstance(node, cst.Assert):
            line = place.statement()
            if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
                raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
            return in_eager(place, context, line)
        return replaced(place.tree, node, node.with_changes(test=_and(place, context, node.test)))

    return make_fix(context, CHECK, Applicability.UNSAFE, guarded, any_types=True)


def _check(place: FixSite, *, asserts: bool) -> cst.If | cst.Assert | cst.SimpleStatementLine:
    """The check whose test holds the finding, or the line that calls a function of the file which only checks."""
    for node, child in zip(reversed(place.path[:-1]), reversed(place.path[1:]), strict=True):
        if isinstance(node, cst.Assert) and child is node.test:
            if not asserts:
                break
            return node
        if isinstance(node, cst.If) and child is node.test:
            block = statements(node.body)
            told = node.orelse is None and all(map(_raises_or_tells, block)) and contains(block, cst.Raise)
            if told or _raises(block[-1]):
                return node
        if isinstance(node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
            break
    line = place.statement()
    small = only_statement([line])
    called = small.value.func if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) else None
    function = definitions(place.tree.module).functions.get(dotted(called)) if called is not None else None
    if isinstance(line, cst.SimpleStatementLine) and function is not None:
        block = statements(function.body)
        if all(_raises_or_tells(one) or _is_text(one) for one in block) and contains(block, cst.Raise, cst.Assert):
            return line
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a check")


def _raises(statement: cst.CSTNode) -> bool:
    """Whether a statement always raises."""
    if isinstance(statement, cst.SimpleStatementLine):
        return isinstance(statement.body[-1], cst.Raise)
    if not isinstance(statement, cst.If) or statement.orelse is None:
        return False
    return all(_raises(side[-1]) for side in arms(statement))


def _is_text(statement: cst.CSTNode) -> bool:
    small = only_statement([statement])
    return isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString)


def _raises_or_tells(statement: cst.CSTNode) -> bool:
    """Whether a statement raises, or tells people something, on each of its paths."""
    if isinstance(statement, cst.If):
        return all(_raises_or_tells(one) for side in arms(statement) for one in side)
    if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], (cst.Assert, cst.Pass)):
        return len(statement.body) == 1
    return _raises(statement) or (isinstance(statement, cst.BaseStatement) and _is_message(statement))


def eager_line(
    place: FixSite, context: FixContext, line: cst.SimpleStatementLine | cst.BaseCompoundStatement
) -> cst.If:
    """A line under `if not torch.compiler.is_exporting():`."""
    inside = cst.IndentedBlock([line.with_changes(leading_lines=[])])
    return cst.If(cst.parse_expression(_guard(place, context)), inside, leading_lines=line.leading_lines)


def in_eager(
    place: FixSite, context: FixContext, line: cst.SimpleStatementLine | cst.BaseCompoundStatement
) -> Iterable[Edit]:
    """The edits that put a line under `if not torch.compiler.is_exporting():`."""
    return replaced(place.tree, line, eager_line(place, context, line))


def exporting(place: FixSite, context: FixContext) -> str:
    """The code that asks whether the function is being exported; before torch 2.7, whether it is being compiled."""
    try:
        old = Version(context.torch_version) < Version("2.7")
    except InvalidVersion:
        old = False
    return f"{place.torch}.compiler.{'is_compiling' if old else 'is_exporting'}()"


def _guard(place: FixSite, context: FixContext) -> str:
    return f"not {exporting(place, context)}"


def messages_apart(place: FixSite, node: cst.If) -> tuple[cst.If, list[cst.BaseStatement]]:
    """An `if` without the lines of its body that only print or log, and these lines below the same condition, for eager only;
    or the `if` as it is, and nothing, where there are none or they cannot come first."""
    block = statements(node.body)
    if not any(map(_is_message, block)):
        return node, []
    told: list[cst.BaseStatement] = []
    rest: list[cst.BaseStatement] = []
    for statement in block:
        (told if _is_message(statement) else rest).append(statement)
        if told and told[-1] is statement:
            before = side_effects(rest)
            if before.unsupported or names(statement).reads & (names(rest).writes | before.names):
                return node, []
    repeatable = not contains([node.test], *_IMMOVABLE) and not _without_telling([node.test])
    if not rest or not repeatable or isinstance(node.orelse, cst.If) or not isinstance(node.body, cst.IndentedBlock):  # fmt: skip
        return node, []
    first = cst.If(node.test, cst.IndentedBlock(told), leading_lines=node.leading_lines)
    left = node.with_changes(body=node.body.with_changes(body=rest), leading_lines=[])
    place.inference.origin[left] = place.inference.origin.get(node, node)
    return left, [_guarded(place, place.inference.context, first)]


def _is_message(statement: cst.BaseStatement) -> bool:
    small = only_statement([statement])
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not is_message(dotted(call.func)):
        return False
    found = side_effects(call.args)
    return not found.names and not found.unsupported and not _calls_that_may_write([*call.args])


def _branch(place: FixSite, context: FixContext) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    """The `if` whose test holds the finding, and the same under the guard; None if the finding stands in no test."""
    try:
        node = place.branch()
    except FixNotApplicable:
        return None
    path = place.upto(node)
    if not isinstance(node, cst.If) or (isinstance(path[-2], cst.If) and node.orelse is not None):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an `if` of its own")
    _refuse_use(place, path, [node])
    return node, _guarded(place, context, node)


def _guarded(place: FixSite, context: FixContext, node: cst.If) -> cst.If:
    """An `if`, where the function is not being exported."""
    guarded = _and(place, context, node.test)
    if node.orelse is None:
        return node.with_changes(test=guarded)
    # With an `else` the guard must stand around both.
    return cst.If(
        cst.parse_expression(_guard(place, context)),
        cst.IndentedBlock([node.with_changes(leading_lines=[])]),
        leading_lines=node.leading_lines,
    )


def _and(place: FixSite, context: FixContext, test: cst.BaseExpression) -> cst.BaseExpression:
    """The condition that the function is not being exported, and that a test holds."""
    code = place.tree.code(test)
    inner = parenthesised(code) if isinstance(test, (cst.BooleanOperation, cst.IfExp, cst.Lambda)) else code
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And) and not test.lpar:
        inner = code
    return cst.parse_expression(f"{_guard(place, context)} and {inner}")


def _line(place: FixSite, context: FixContext) -> tuple[cst.CSTNode, cst.CSTNode]:
    """The line that the finding stands in, and the same under the guard."""
    line = place.statement()
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than a line")
    _refuse_use(place, place.upto(line), [line])
    return line, eager_line(place, context, line)


def _refuse_use(place: FixSite, path: tuple[cst.CSTNode, ...], block: list[cst.CSTNode]) -> None:
    """Raises FixNotApplicable where code does more than to assign names that nobody reads, and to tell people something."""
    if contains(block, *_IMMOVABLE):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it does more than print or log")
    live = live_out(path, place.function)
    if names(block).writes & live:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "what it computes is used")
    if _without_telling(block):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "it has a side effect")


def _without_telling(block: list[cst.CSTNode]) -> str:
    """Why the code does more than to tell; '' if it does not."""
    stack = list(block)
    while stack:
        node = stack.pop()
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                call = small.value if isinstance(small, cst.Expr) else None
                if isinstance(call, cst.Call) and is_message(dotted(call.func)):
                    found = side_effects(call.args)
                else:
                    found = side_effects([small])
                if found.names or found.unsupported:
                    return found.unsupported or "something is changed in place"
        elif isinstance(node, (cst.If, cst.For, cst.With)):
            inner = statements(node.body)
            other = node.orelse if not isinstance(node, cst.With) else None
            if other is not None:
                inner += [other] if isinstance(other, cst.If) else statements(other.body)
            stack += inner
        elif isinstance(node, cst.BaseCompoundStatement):
            return "a statement that may do anything"
    return _calls_that_may_write(block)


def _calls_that_may_write(block: list[cst.CSTNode]) -> str:
    """Calls of own methods and submodules may keep state: they are not left out."""
    stack = list(block)
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Call) and not is_message(dotted(node.func)):
            name = dotted(node.func)
            if name.startswith(("self.", "super")) or (name and "." not in name and name not in _PURE):
                return f"{name} may do anything"
        stack += children(node)
    return ""


_PURE: Final = frozenset(
    (
        "float",
        "int",
        "str",
        "bool",
        "len",
        "round",
        "abs",
        "min",
        "max",
        "sum",
        "repr",
        "format",
        "list",
        "tuple",
        "type",
    )
)
