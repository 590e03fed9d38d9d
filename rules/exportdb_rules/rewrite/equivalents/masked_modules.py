"""Attention, normalisation and recurrent layers over the rows that a mask picks, by ways that ask for no number of rows.

Measured on torch 2.13, in both modes, on masks that pick no row, one, some and all: attention copes with any number of
tokens where batch and heads are one dimension; the formula of a batch normalisation copes with any number of rows, where its
operator does not; in eval mode it treats each row by itself, so that the rows can be picked behind it; what a recurrent layer gives for the first steps does not depend on those behind them, so
that the steps which are kept may stand in front of the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.branching.predicate import single_value
from exportdb_rules.rewrite.equivalents.packed_sequences import recurrent_layer
from exportdb_rules.rewrite.equivalents.tensor_call import TensorCall, computed, within
from exportdb_rules.rewrite.fix_site import FixSite, always_computed, lines_before, new_name
from exportdb_rules.rewrite.known.mutation import is_pure, side_effects
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.known.signature import TensorSignature, numeric
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted, index_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.rewrite.context import FixContext

ATTENTION: Final = "Merge batch and heads into one dimension"
WRITTEN: Final = "Replace the normalization with its formula"
NORM: Final = "Apply the mask after the normalization"
STEPS: Final = "Run the layer over all rows, selected ones first"


def attention_of_any_length(context: FixContext) -> tuple[Fix, ...]:
    """`scaled_dot_product_attention` of four dimensions as one of three.

    `unsafe`: queries, keys and values must be of one batch and as many heads, and are not broadcast any more.
    """
    return make_fix(context, ATTENTION, Applicability.UNSAFE, _attention)


def _attention(place: FixSite) -> Iterable[Edit]:
    call = TensorCall(place)
    if call.name != "scaled_dot_product_attention" or call.tensor is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of attention")
    call.refuse_more(2, "key", "value", "is_causal", "scale", "dropout_p", "attn_mask")
    key, value = call.argument(0, "key"), call.argument(1, "value")
    if key is None or value is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    mask = call.named.get("attn_mask")
    if mask is not None and dotted(mask) != "None" and _rank(call, mask) != 2:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the mask may be another one for each head")
    known = [place.inference.value(node) for node in (call.tensor, key, value)]
    ranks = {c.rank for v in known if v is not None for c in lattice.choices(v) if isinstance(c, domain.Tensor)}
    if not ranks <= {4, None}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "other dimensions")
    query = call.name_of(call.tensor, "query")
    parts = [query, *[parenthesised(place.tree.code(node)) for node in (key, value)]]
    codes = [f"{part}.flatten(0, 1)" for part in parts]
    options = [f"{name}={place.tree.code(node)}" for name, node in call.named.items() if name not in ("key", "value")]
    made = f"{call.function}({', '.join([*codes, *options])}).unflatten(0, {query}.shape[:2])"
    return computed(call, call.node, made)


def _rank(call: TensorCall, node: cst.BaseExpression) -> int | None:
    """How many dimensions an argument has."""
    value = call.place.inference.value(node)
    kinds = lattice.choices(value) if value is not None else ()
    ranks = {c.rank for c in kinds if isinstance(c, domain.Tensor)}
    if len(ranks) == 1 and None not in ranks:
        return ranks.pop()
    known = call.known(node)
    sizes = numeric(known.shape) if isinstance(known, TensorSignature) else None
    return None if sizes is None else len(sizes)


def norm_of_any_number(context: FixContext) -> tuple[Fix, ...]:
    """`self.norm(rows)` of a batch normalisation over the first of two dimensions, written out; else
    `self.norm(x[keep])` as `self.norm(x)[keep]`, but for training.

    `unsafe`: the last digits may differ; or a row that is not picked is computed too.
    """
    written = make_fix(context, WRITTEN, Applicability.UNSAFE, _written_out)
    return written or make_fix(context, NORM, Applicability.UNSAFE, _normed)


def _written_out(place: FixSite) -> Iterable[Edit]:
    node = _module_call(place)
    norm, held = dotted(node.func), place.inference.submodules
    made = held.calls.get(norm.removeprefix("self."))
    plain = made is not None and all(a.keyword is None or a.keyword.value in ("num_features", "eps") for a in made.args)
    if made is None or held.qualified(made.func) != "torch.nn.BatchNorm1d" or not plain or len(made.args) > 2:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another normalization")
    if _ranks(place, node.args[0].value) != {2}:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "there may be more dimensions")
    call, torch = TensorCall(place), place.torch
    rows = call.name_of(node.args[0].value, "rows")
    count = call.bind("count", f"{torch}.scalar_tensor({rows}.shape[0], device={rows}.device)")
    mean, variance, moved = call.another("mean"), call.another("variance"), call.another("moved")
    call.lines += [
        f"if {norm}.training:",
        f"    {mean}, {variance} = {rows}.mean(0), {rows}.var(0, correction=0)",
        f"    with {torch}.no_grad():",
        f"        {norm}.num_batches_tracked.add_(1)",
        f'        {torch}._assert_async({count} != 1, "expected more than 1 value per channel when training")',
    ]
    for name, value in (("mean", mean), ("var", f"{rows}.var(0)")):
        kept = f"{norm}.running_{name}"
        call.lines += [
            f"        {moved} = {torch}.lerp({kept}, {value}, {norm}.momentum)",
            f"        {kept}.copy_({torch}.where({count} > 0, {moved}, {kept}))",
        ]
    call.lines += ["else:", f"    {mean}, {variance} = {norm}.running_mean, {norm}.running_var"]
    code = f"({rows} - {mean}) * ({variance} + {norm}.eps).rsqrt() * {norm}.weight + {norm}.bias"
    return computed(call, node, within(call.parent, code))


def _normed(place: FixSite) -> Iterable[Edit]:
    call = _module_call(place)
    held = place.inference.submodules
    name = dotted(call.func)
    if not held.kind(name.removeprefix("self.")).startswith("torch.nn.BatchNorm"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a batch normalization")
    rows, index = _picked(place, call.args[0].value)
    parent = place.path[place.path.index(call) - 1]
    plain = place.tree.code(call)
    code = f"{plain} if {name}.training else {name}({place.tree.code(rows)})[{place.tree.code(index)}]"
    span = place.tree.span(call)
    assert span is not None
    alone = isinstance(parent, (cst.Assign, cst.Return, cst.AnnAssign)) or (isinstance(parent, cst.Arg) and not parent.star)  # fmt: skip
    return (Edit(span, code if alone else f"({code})"),)


def steps_in_front(context: FixContext) -> tuple[Fix, ...]:
    """`self.rnn(x[keep])[0]` as the first steps of the layer over all rows, those that are kept in front.

    `unsafe`: the last digits may differ, and where eager raised for no rows an assertion of the graph fails.
    """
    return make_fix(context, STEPS, Applicability.UNSAFE, _in_front)


def _in_front(place: FixSite) -> Iterable[Edit]:
    call = _module_call(place)
    layer = recurrent_layer(place, dotted(call.func))
    rows, index = _picked(place, call.args[0].value)
    at = place.path.index(call)
    parent = place.path[at - 1]
    if layer.both or not isinstance(parent, cst.Subscript) or index_of(parent) != 0:
        raise FixNotApplicable(NoFix.RESULT_USED, "more is used than the steps")
    ranks = _ranks(place, call.args[0].value)
    if _ranks(place, index) != {1} or (ranks != {2} and (ranks != {3} or layer.batch_first)):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "the rows may be no steps")
    if any(c.dtype != "bool" for c in _tensors(place, index)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a mask")
    line = place.statement()
    if line is None or not always_computed(place) or not is_pure(line):
        raise FixNotApplicable(
            NoFix.EVALUATION_ORDER, "it is only computed conditionally, or the line has another side effect"
        )
    kept, order = new_name(place, "kept"), new_name(place, "order")
    lines = [
        f"{kept} = {place.tree.code(index)}",
        f'{place.torch}._assert_async({kept}.any(), "expected at least one step")',
        "# The steps that are kept stand in front, in their order.",
        f"{order} = {place.torch}.argsort(~{kept}, stable=True)",
    ]
    if isinstance(index, cst.Name):
        kept, lines = index.value, [text.replace(kept, index.value) for text in lines[1:]]
    span = place.tree.span(parent)
    assert span is not None
    source = parenthesised(place.tree.code(rows))
    code = f"{layer.name}({source}[{order}])[0][: {kept}.sum().item()]"
    return (lines_before(place, lines), Edit(span, code))


def _module_call(place: FixSite) -> cst.Call:
    """The call of a module of the model, with one argument."""
    call = place.call()
    if call is None or len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain call")
    if not dotted(call.func).startswith("self."):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a module of the model")
    return call


def _picked(place: FixSite, node: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The tensor of which rows are picked, and the tensor that picks them along the first dimension."""
    if isinstance(node, cst.Name):
        given = single_value(place.function, node.value)
        if given is None or not all(_lasting(place, name) for name in (node.value, *names(given).reads)):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it may be something else by now")
        node = given
    only = node.slice[0].slice if isinstance(node, cst.Subscript) and len(node.slice) == 1 else None
    if not isinstance(node, cst.Subscript) or not isinstance(only, cst.Index) or only.star is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no picked rows")
    if _ranks(place, only.value) != {1}:
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "what picks the rows may have several dimensions")
    return node.value, only.value


def _lasting(place: FixSite, name: str) -> bool:
    """Whether a name means one object throughout a function, which nothing there changes in place."""
    changed = side_effects([place.function.body])
    if name in changed.names or changed.unsupported:
        return False
    given = {p.name.value for p in parameters(place.function)}
    if name in given or name not in names(place.function.body).writes:
        return name not in names(place.function.body).writes
    return single_value(place.function, name) is not None


def _tensors(place: FixSite, node: cst.BaseExpression) -> list[domain.Tensor]:
    value = place.inference.value(node)
    kinds = lattice.choices(value) if value is not None else ()
    if not kinds or not all(isinstance(c, domain.Tensor) for c in kinds):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a tensor")
    return [c for c in kinds if isinstance(c, domain.Tensor)]


def _ranks(place: FixSite, node: cst.BaseExpression) -> set[int | None]:
    return {tensor.rank for tensor in _tensors(place, node)}
