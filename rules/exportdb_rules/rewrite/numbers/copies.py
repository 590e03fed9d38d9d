"""Views that become copies: an index of no dimensions gives a view of a tensor, an index of one element a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.liveness import code_after
from exportdb_rules.rewrite.known.mutation import copy_is_observable, side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import TensorSignature, leaves
from exportdb_rules.rewrite.known.views import outlives
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from exportdb_rules.rewrite.fix_site import FixSite


def refuse_seen_copy(place: FixSite, source: cst.BaseExpression, node: cst.BaseExpression) -> None:
    """Raises FixNotApplicable where code could tell whether `node`, an expression around the place, is a part of `source` or a copy
    of it: it changes the one or the other in place, and looks at the other."""
    kept = outlives(place.upto(node))
    if kept is None:
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "what is a view is written")
    if not kept and not isinstance(place.path[place.path.index(node) - 1], (cst.Arg, cst.For)):
        return
    statement = place.statement()
    assert statement is not None
    env = place.environment()
    known = place.inference.infer(source, dict(env))
    storages = frozenset(
        storage for leaf in leaves(known) if isinstance(leaf, TensorSignature) for storage in leaf.storages
    )
    held = {storage for storage in storages if not storage.startswith(("#", "self."))}
    shared = {
        n
        for n, one in env.items()
        for leaf in leaves(one)
        if isinstance(leaf, TensorSignature) and leaf.storages & storages
    }
    own = names(source).reads | held | shared
    changed = side_effects([statement])
    if changed.names & own:
        raise FixNotApplicable(NoFix.ALIASED_WRITE, "what is a view is written")
    # The names that the statement binds may hold the view.
    bound = names(statement).writes
    after = {**env, **{name: TensorSignature(None, None, storages) for name in bound}}
    later = code_after(place.upto(statement), place.function)
    for name in bound or own:
        if copy_is_observable(name, storages, after, later):
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "what is a view, and a copy then, is written later")
