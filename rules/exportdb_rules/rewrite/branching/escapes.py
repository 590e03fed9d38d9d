"""Tensors that a branch changes in place and that others may see: inputs, views, what a loop changes round by round.

A branch of torch.cond may not change what it is given. It changes a copy and returns it, and what came out is copied into
the tensor behind the call: whoever else has it sees the change. Measured on torch 2.13, in both modes: the export keeps
such a write to an input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.liveness import live_in
from exportdb_rules.rewrite.known.mutation import changed_from_outside, escapes, is_unaliased
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.known.signature import MODULE, Dtype, Number, TensorSignature, leaves
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment


def escaping_mutations(blocks: Sequence[Sequence[cst.CSTNode]], env: Environment, place: FixSite) -> list[str]:
    """The names of such tensors, in order.

    Raises:
        FixNotApplicable: a side may see the change under another name, where a copy would not show it.
    """
    found: dict[str, None] = {}
    for block in blocks:
        exposed = live_in(block, frozenset())
        changed = sorted(
            n for n in changed_from_outside(block) if n in exposed and isinstance(env.get(n), TensorSignature)
        )
        found.update(dict.fromkeys(n for n in changed if not is_unaliased(n, env, [place.function.body])))
    for name in found:
        for block in blocks:
            _refuse_seen(name, block, env, place)
    return list(found)


def _refuse_seen(name: str, block: Sequence[cst.CSTNode], env: Environment, place: FixSite) -> None:
    known = env[name]
    assert isinstance(known, TensorSignature)
    if name in _rebound(block):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place, and rebound")
    read = names(block).reads - {name}
    for other in read:
        if any(
            isinstance(leaf, TensorSignature) and leaf.storages & known.storages
            for leaf in leaves(env.get(other, Number()))
        ):
            raise FixNotApplicable(
                NoFix.ALIASED_WRITE, f"{other} may share the storage of {name}, which is changed in place"
            )
    attributes = {dotted(node) for statement in block for node in below(statement, cst.Attribute)}
    if attributes & known.storages:
        raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place, and may be seen as an attribute")
    plain = (TensorSignature, Number, Dtype)
    local = {n for n in read if n in env or n == "self"}
    if escapes(name, place.function.body) and not all(
        (env.get(n) == MODULE and n != "self") or isinstance(env.get(n), plain) for n in local
    ):
        raise FixNotApplicable(NoFix.ALIASED_WRITE, f"{name} is changed in place, and may be seen elsewhere")


def _rebound(block: Iterable[cst.CSTNode]) -> set[str]:
    """The names that are bound to something else: an augmented assignment changes a tensor in place."""
    found: list[cst.Name] = []
    for statement in block:
        for node in below(statement, cst.CSTNode):
            if isinstance(node, cst.Assign):
                found += [name for target in node.targets for name in targets(target.target)]
            elif isinstance(node, (cst.AnnAssign, cst.NamedExpr, cst.For)):
                found += targets(node.target)
            elif isinstance(node, cst.AsName):
                found += targets(node.name)
    return {name.value for name in found}
