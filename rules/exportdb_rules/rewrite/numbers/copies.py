"""Views that become copies: an index of no dimensions gives a view of a tensor, an index of one element a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.known.liveness import code_after
from exportdb_rules.rewrite.known.mutation import changes, told_apart
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import Tensor, leaves
from exportdb_rules.rewrite.known.views import outlives
from exportdb_rules.rewrite.refusal import Refused

if TYPE_CHECKING:
    from exportdb_rules.rewrite.place import Place


def refuse_seen_copy(place: Place, source: cst.BaseExpression, node: cst.BaseExpression) -> None:
    """Raises Refused where code could tell whether `node`, an expression around the place, is a part of `source` or a copy
    of it: it changes the one or the other in place, and looks at the other."""
    kept = outlives(place.upto(node))
    if kept is None:
        raise Refused("what is a view is written")
    if not kept and not isinstance(place.path[place.path.index(node) - 1], (cst.Arg, cst.For)):
        return
    statement = place.statement()
    assert statement is not None
    env = place.environment()
    known = place.inference.infer(source, dict(env))
    roots = frozenset(root for leaf in leaves(known) if isinstance(leaf, Tensor) for root in leaf.roots)
    held = {root for root in roots if not root.startswith(("#", "self."))}
    shared = {n for n, one in env.items() for leaf in leaves(one) if isinstance(leaf, Tensor) and leaf.roots & roots}
    own = names(source).reads | held | shared
    changed = changes([statement])
    if changed.names & own:
        raise Refused("what is a view is written")
    # The names that the statement binds may hold the view.
    bound = names(statement).writes
    after = {**env, **{name: Tensor(None, None, roots) for name in bound}}
    later = code_after(place.upto(statement), place.function)
    for name in bound or own:
        if told_apart(name, roots, after, later):
            raise Refused("what is a view, and a copy then, is written later")
