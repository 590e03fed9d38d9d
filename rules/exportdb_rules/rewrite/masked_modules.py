"""Attention, normalisation and recurrent layers over the rows that a mask picks, by ways that ask for no number of rows.

Measured on torch 2.13, in both modes, on masks that pick no row, one, some and all: attention copes with any number of
tokens where batch and heads are one dimension; in eval mode a batch normalisation treats each row by itself, so that the
rows can be picked behind it; what a recurrent layer gives for the first steps does not depend on those behind them, so
that the steps which are kept may stand in front of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.condition import parenthesised
from exportdb_rules.rewrite.offer import offered
from exportdb_rules.rewrite.place import Place
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.signature import Tensor, numeric
from exportdb_rules.rewrite.tensor_call import TensorCall, computed
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

ATTENTION: Final = "Attend with batch and heads as one dimension"


def attention_of_any_length(context: FixContext) -> tuple[Fix, ...]:
    """`scaled_dot_product_attention` of four dimensions as one of three.

    `unsafe`: queries, keys and values must be of one batch and as many heads, and are not broadcast any more.
    """
    return offered(context, ATTENTION, Applicability.UNSAFE, _attention)


def _attention(place: Place) -> Iterable[Edit]:
    call = TensorCall(place)
    if call.name != "scaled_dot_product_attention" or call.tensor is None:
        raise Refused("no attention")
    call.refuse_more(2, "key", "value", "is_causal", "scale", "dropout_p", "attn_mask")
    key, value = call.argument(0, "key"), call.argument(1, "value")
    if key is None or value is None:
        raise Refused("unusual arguments")
    mask = call.named.get("attn_mask")
    if mask is not None and dotted(mask) != "None" and _rank(call, mask) != 2:
        raise Refused("the mask may be another one for each head")
    known = [place.inference.value(node) for node in (call.tensor, key, value)]
    ranks = {c.rank for v in known if v is not None for c in domain.choices(v) if isinstance(c, domain.Tensor)}
    if not ranks <= {4, None}:
        raise Refused("other dimensions")
    query = call.name_of(call.tensor, "query")
    parts = [query, *[parenthesised(place.tree.code(node)) for node in (key, value)]]
    codes = [f"{part}.flatten(0, 1)" for part in parts]
    options = [f"{name}={place.tree.code(node)}" for name, node in call.named.items() if name not in ("key", "value")]
    made = f"{call.function}({', '.join([*codes, *options])}).unflatten(0, {query}.shape[:2])"
    return computed(call, call.node, made)


def _rank(call: TensorCall, node: cst.BaseExpression) -> int | None:
    """How many dimensions an argument has."""
    value = call.place.inference.value(node)
    kinds = domain.choices(value) if value is not None else ()
    ranks = {c.rank for c in kinds if isinstance(c, domain.Tensor)}
    if len(ranks) == 1 and None not in ranks:
        return ranks.pop()
    known = call.known(node)
    sizes = numeric(known.shape) if isinstance(known, Tensor) else None
    return None if sizes is None else len(sizes)
