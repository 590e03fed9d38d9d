"""A conditional expression on a tensor as `torch.cond` of two lambdas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.branch_lowering import calling, without_aliases
from exportdb_rules.rewrite.branching.branches import Builder, immovable
from exportdb_rules.rewrite.branching.number_uses import arithmetic_only
from exportdb_rules.rewrite.branching.operands import in_order, listed, passed
from exportdb_rules.rewrite.branching.states import refuse_statistics
from exportdb_rules.rewrite.branching.where import refuse_observable_copies
from exportdb_rules.rewrite.finished import validated_edits
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    Number,
    Signature,
    TensorSignature,
    agree,
    leaves,
    numeric,
)
from exportdb_rules.rewrite.known.traceable import refuse_untraceable
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, integer

if TYPE_CHECKING:
    from exportdb_rules.finding import Edit
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment


def ternary(place: FixSite, node: cst.IfExp) -> tuple[Edit, ...]:
    """The edits that put the call in the expression's place. Raises FixNotApplicable if there is no faithful one."""
    at = place.path.index(node)
    # A chain `a if p else b if q else c` is rewritten from its first test that needs data.
    builder = Builder(place)
    statement = place.statement()
    if not isinstance(statement, cst.SimpleStatementLine):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a conditional expression in the head of a compound statement")
    env = place.environment()
    while at > 0 and isinstance(outer := place.path[at - 1], cst.IfExp) and outer.orelse is place.path[at]:
        if builder.predicates.decides(outer.test, env):
            node = outer
        at -= 1
    refuse_observable_copies(place, node, env)
    refuse_untraceable(place.inference, [node.body, node.orelse])
    code, _ = _choice(builder, node, env)
    return validated_edits(place, (place.tree.edit(node, code),))


def _as_tensor(
    place: FixSite, node: cst.IfExp, side: cst.BaseExpression, env: Environment, *, nested: bool
) -> tuple[cst.BaseExpression, TensorSignature] | None:
    """A number that is written out as a tensor like the other side, which has no dimensions; None where it must be a number."""
    other = place.inference.infer(node.orelse if side is node.body else node.body, dict(env))
    plain = isinstance(side, (cst.Integer, cst.Float)) and isinstance(other, TensorSignature) and other.shape == SCALAR
    if not plain or nested or not isinstance(other, TensorSignature) or not arithmetic_only(place, ""):
        return None
    if other.dtype != DEFAULT_FLOAT and (other.dtype != "int64" or isinstance(side, cst.Float)):
        return None
    whole = integer(side) if other.dtype == DEFAULT_FLOAT else None
    code = place.tree.code(side) if whole is None else f"{whole}.0"
    made = cst.parse_expression(f"{place.torch}.full((), {code})")
    return made, TensorSignature(other.dtype, SCALAR, place.inference.fresh())


def _may_be_number(index: Signature) -> bool:
    """Whether an index is a tensor that is not sure to have dimensions: inside torch.cond it fails, in eager too (measured
    on torch 2.13)."""
    return isinstance(index, TensorSignature) and index.dtype != "bool" and not numeric(index.shape)


def _choice(builder: Builder, node: cst.IfExp, env: Environment, *, nested: bool = False) -> tuple[str, Signature]:
    """The code of a conditional expression as a call of `torch.cond`, and what it gives. `nested`: it is a side of
    another one, whose result must be nobody else's."""
    place, inference = builder.place, builder.inference
    if immovable([node]):
        raise FixNotApplicable(NoFix.SIDE_EFFECT, "a branch holds what cannot be moved into a function")
    refuse_statistics([node], inference)
    predicate = builder.predicates.translate(node.test, dict(env))
    found = side_effects([node])
    if found.unsupported or found.names:
        raise FixNotApplicable(NoFix.SIDE_EFFECT, "a branch changes something in place")
    if any(_may_be_number(inference.infer(index.value, dict(env))) for index in below(node, cst.Index)):
        raise FixNotApplicable(NoFix.UNTRACEABLE, "torch.cond reads a zero-dimensional index as a number")
    borrowed = {
        storage
        for s in env.values()
        for leaf in leaves(s)
        if isinstance(leaf, TensorSignature)
        for storage in leaf.storages
    }
    read = names([node.body, node.orelse]).reads
    operands = [n for n in in_order(node) if n in read and isinstance(env.get(n), TensorSignature)]
    codes: list[str] = []
    signatures: list[Signature] = []
    for side in (node.body, node.orelse):
        if isinstance(side, cst.IfExp) and builder.predicates.decides(side.test, dict(env)):
            code, signature = _choice(builder, side, env, nested=True)
        else:
            signature = inference.infer(side, dict(env))
            if (
                isinstance(signature, Number)
                and (made := _as_tensor(place, node, side, env, nested=nested)) is not None
            ):
                side, signature = made
            if not isinstance(signature, TensorSignature):
                raise FixNotApplicable(NoFix.NOT_A_TENSOR, "a branch is not a tensor")
            own = all(r.startswith("#") for r in signature.storages) and not signature.storages & borrowed
            shown = side
            if signature.maybe_noncontiguous:
                copied = "contiguous()" if own else f"clone(memory_format={place.torch}.contiguous_format)"
                shown = calling(side, copied)
            elif not own:
                shown = calling(side, "clone()")
            code = place.tree.code(shown)
        codes.append(code)
        signatures.append(signature)
    if not agree(*signatures, presume=True):
        raise FixNotApplicable(NoFix.BRANCHES_DIFFER, "the branches may differ in dtype or shape")
    head = f"lambda {', '.join(operands)}:" if operands else "lambda:"
    arguments = passed(operands, env, [node.body, node.orelse])
    parts = [predicate.code, *[f"{head} {c}" for c in codes]]
    if operands:
        parts.append(listed(arguments))
    result = without_aliases(signatures[0], inference.fresh())
    call = f"{place.torch}.cond({', '.join(parts)})"
    if not predicate.guard:
        return call, result
    # What Python decides stays an `if`: the other part may not even have a value where it does not hold.
    if predicate.operator == "and":
        direct = codes[1] if nested else place.tree.code(node.orelse)
        return f"({call} if {predicate.guard} else {direct})", result
    direct = codes[0] if nested else place.tree.code(node.body)
    return f"({direct} if {predicate.guard} else {call})", result
