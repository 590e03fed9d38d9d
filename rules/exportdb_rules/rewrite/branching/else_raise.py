"""Branches that raise where none of their tests holds: the check that one of them does, and the branches without the raise.

`if kind == 0: … elif kind == 1: … else: raise ValueError("kind")` becomes a check of `(kind == 0) | (kind == 1)`, with
`if kind == 0: … else: …` behind it. No branch of torch.cond can raise; with the check, none has to (measured on torch
2.13: both kinds of checks stay in the graph with their messages, in both modes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import libcst as cst

from exportdb_rules.finding import Applicability
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.checks import RAISE_TITLE, SCALAR_TITLE, raised
from exportdb_rules.rewrite.branching.condition import TENSOR
from exportdb_rules.rewrite.branching.predicate import Predicates
from exportdb_rules.rewrite.known.liveness import never_falls_through, tests
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.outline import replaced
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Edit, Fix
    from exportdb_rules.rewrite.branching.condition import Predicate
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite


def last_raise_to_check(context: FixContext) -> tuple[Fix, ...]:
    """The fix for branches whose `else`, or what follows them, is a raise. `unsafe`: the exception becomes a RuntimeError."""
    return make_fix(context, _title, Applicability.UNSAFE, _checked)


def _title(place: FixSite) -> str:
    return RAISE_TITLE if _checks(place)[1].kind == TENSOR else SCALAR_TITLE.format(what="raise")


def _checks(place: FixSite) -> tuple[list[cst.If], Predicate, str]:
    """The branches one after the other, the condition that one of their tests holds, and the message if not."""
    ifs, raising = _branches(place)
    if _end(ifs[-1]).test not in place.path:
        # The fix is for the finding that goes away with it.
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not the last of the conditions")
    asked = [test for node in ifs for test in tests(node)]
    if any(True for test in asked for _ in below(test, cst.NamedExpr)):
        raise FixNotApplicable(NoFix.WALRUS, "a name is bound in a condition")
    env = place.inference.before((*place.upto(_block(place)), ifs[0]))
    predicates = Predicates(place.inference, place.torch)
    if not all(predicates.decides(test, env) for test in asked):
        raise FixNotApplicable(NoFix.MIXED_CONDITION, "Python decides some of the branches")
    whole = asked[-1]
    for test in reversed(asked[:-1]):
        whole = cst.BooleanOperation(test, cst.Or(), whole)
    condition = predicates.translate(whole, env)
    if condition.guard:
        raise FixNotApplicable(NoFix.MIXED_CONDITION, "a part of a condition is decided while tracing")
    assert raising.exc is not None
    return ifs, condition, raised(place, raising.exc) or repr("Assertion failed")


def _checked(place: FixSite) -> Iterable[Edit]:
    ifs, condition, message = _checks(place)
    name = "_assert_async" if condition.kind == TENSOR else "_assert_scalar"
    code = f"{place.torch}.{name}({condition.code}, {message})"
    check = cst.ensure_type(cst.parse_statement(code), cst.SimpleStatementLine)
    block = _block(place)
    at = next(i for i, s in enumerate(block.body) if s is ifs[0])
    behind = at + len(ifs)
    last = ifs[-1]
    final = _end(last)
    gone = 0 if final.orelse is not None else 1
    kept: list[cst.BaseStatement] = [*ifs[:-1]]
    if final is last:
        # What the only test guards is done in any case now.
        body = statements(last.body)
        body[0] = body[0].with_changes(leading_lines=[*last.leading_lines, *getattr(body[0], "leading_lines", ())])
        kept += body
    else:
        kept.append(_without_last(last))
    kept = [check.with_changes(leading_lines=ifs[0].leading_lines), kept[0].with_changes(leading_lines=()), *kept[1:]]
    new = block.with_changes(body=[*block.body[:at], *kept, *block.body[behind + gone :]])
    return replaced(place.tree, block, new)


def _block(place: FixSite) -> cst.IndentedBlock:
    """The block in which the whole chain stands that the finding is in a test of.

    Raises:
        FixNotApplicable: it is no plain `if` of a block.
    """
    at = place.path.index(place.branch())
    while isinstance(above := place.path[at - 1], cst.If) and above.orelse is place.path[at]:
        at -= 1
    block = place.path[at - 1]
    if not isinstance(place.path[at], cst.If) or not isinstance(block, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "not a statement of a block")
    return block


def _branches(place: FixSite) -> tuple[list[cst.If], cst.Raise]:
    """The `if`s up to the raise: the chain, and those before it that always leave."""
    block = _block(place)
    own = place.path[place.path.index(block) + 1]
    body = list(block.body)
    at = next(i for i, s in enumerate(body) if s is own)
    ifs = [cst.ensure_type(own, cst.If)]
    # What stands behind is reached only where no test held.
    while _ends_in_raise(ifs[-1]) is None and _leaves(ifs[-1]) and at + 1 < len(body):
        after = body[at + 1]
        at += 1
        if isinstance(after, cst.If):
            ifs.append(after)
            continue
        raising = _raise([after])
        if raising is None:
            raise FixNotApplicable(NoFix.CHECK_FORM, "more is done than to raise")
        return _from_first(ifs, body), raising
    raising = _ends_in_raise(ifs[-1])
    if raising is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is raised at the end")
    return _from_first(ifs, body), raising


def _from_first(ifs: list[cst.If], body: Sequence[cst.BaseStatement]) -> list[cst.If]:
    at = next(i for i, s in enumerate(body) if s is ifs[0])
    while at > 0 and isinstance(before := body[at - 1], cst.If) and _leaves(before):
        ifs = [before, *ifs]
        at -= 1
    return ifs


def _leaves(node: cst.If) -> bool:
    """Whether each branch of a chain without `else` leaves the block by other means than an exception."""
    blocks: list[list[cst.BaseStatement]] = []
    here: cst.If | cst.Else | None = node
    while isinstance(here, cst.If):
        blocks.append(statements(here.body))
        here = here.orelse
    return here is None and all(never_falls_through(b) and _raise(b) is None for b in blocks)


def _end(node: cst.If) -> cst.If:
    """The last test of a chain."""
    while isinstance(node.orelse, cst.If):
        node = node.orelse
    return node


def _ends_in_raise(node: cst.If) -> cst.Raise | None:
    """The raise that is the whole `else` of a chain."""
    other = _end(node).orelse
    return _raise(statements(other.body)) if isinstance(other, cst.Else) else None


def _raise(block: Sequence[cst.BaseStatement]) -> cst.Raise | None:
    line = block[0] if len(block) == 1 else None
    only = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    return only if isinstance(only, cst.Raise) and only.exc is not None else None


def _without_last(node: cst.If) -> cst.If:
    """The chain with the branch of its last test as its `else`."""
    inner = cast("cst.If", node.orelse)
    if isinstance(inner.orelse, cst.If):
        return node.with_changes(orelse=_without_last(inner))
    return node.with_changes(orelse=cst.Else(inner.body, leading_lines=inner.leading_lines))
