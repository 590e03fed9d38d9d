"""Tuples of tensors that an attribute holds from the first call on, as a buffer for each: the state of an LSTM.

`y, self.state = self.lstm(x, self.state)` is decided while tracing, for the first call, whose state is None. Buffers of the
sizes that the state has keep it, in both modes (measured on torch 2.13); where the layer takes None, it takes zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.missing_state import There, asks_for_none, begins_at_zero, behind, is_none, uses
from exportdb_rules.rewrite.buffers.missing_state import from_dynamic_sizes as dynamic
from exportdb_rules.rewrite.buffers.state import in_class, is_own, missing_at_first, registered
from exportdb_rules.rewrite.buffers.state_uses import (
    Path,
    functions_around,
    inference_of,
    refuse_taken,
    unpacked,
    upto_statement,
)
from exportdb_rules.rewrite.fix_site import new_name
from exportdb_rules.rewrite.known.signature import DEFAULT_FLOAT, Items, Signature, TensorSignature, numeric
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment, Inference

TITLE: Final = "Store each tensor in a buffer"


def pair_to_buffers(context: FixContext) -> tuple[Fix, ...]:
    """`self.state = None` in the constructor, and a tuple of tensors later, as a buffer for each of them.

    Always `unsafe`: a size that follows from the inputs is that of the examples.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _kept, in_class)


def _kept(place: FixSite) -> Iterable[Edit]:
    name, made = missing_at_first(place)
    writes, reads = uses(place, name)
    resets = [path for path in writes if is_none(path)]
    writes = [path for path in writes if path not in resets]
    tests = [path for path in reads if asks_for_none(path[-2], name) is not None]
    there = There(place, name, resets)
    parts = _parts(place, name, writes)
    zeros = [path for path in reads if begins_at_zero(place, path, ("LSTM", "LSTMCell"))]
    buffers = [f"{name}_{index}" for index in range(len(parts))]
    flag = f"has_{name}"
    for attribute in (*buffers, flag):
        refuse_taken(place, attribute)
    edits: list[Edit] = []
    for path in writes:
        edits += _written(place, path, buffers, f"self.{flag}.fill_(True)" if tests and not there.at(path) else "")
    for path in reads:
        edits.append(_read(place, path, name, buffers, known=path in zeros or there.at(path)))
    for path in resets:
        span = place.tree.span(path[-3])
        done = [f"self.{buffer}.zero_()" for buffer in buffers if zeros]
        done += [f"self.{flag}.fill_(False)"] if tests else []
        if span is None or not done:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nobody asks whether it is there")
        edits.append(Edit(span, "; ".join(done)))
    lines = [registered(buffer, code) for buffer, code in zip(buffers, parts, strict=True)]
    if tests:
        lines.append(registered(flag, f"{place.torch}.tensor(False)"))
    return [made.replaced(place, lines), *edits]


def _parts(place: FixSite, name: str, writes: Sequence[Path]) -> list[str]:
    """The code of tensors like those that are kept.

    Raises:
        FixNotApplicable: their sizes are not known, or not the same at every write.
    """
    parts: list[tuple[str, tuple[int, ...]]] = []
    # What is computed from the state itself is known once the state is.
    for path in sorted(writes, key=lambda p: _of_state(p, name)):
        inference = inference_of(place, functions_around(path)[0])
        held = Items(
            "tuple", tuple([_like(dtype, sizes, f"self.{name}[{i}]") for i, (dtype, sizes) in enumerate(parts)])
        )
        if parts:
            inference.known.update(
                {n: held for n in below(functions_around(path)[0].body, cst.Attribute) if is_own(n, name)}
            )
        env = inference.before(upto_statement(path))
        known = leaves_of(_value(path, inference, env))
        if known is None or (parts and known != parts):
            raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "the sizes of what is stored are not known")
        parts = known
    if not parts:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing is kept")
    if dynamic(place.tree.module):
        raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "the size may follow from a dynamic one")
    return [
        f"{place.torch}.zeros({', '.join(map(str, sizes)) or '()'}"
        + ("" if dtype == DEFAULT_FLOAT else f", dtype={place.torch}.{dtype}")
        + ")"
        for dtype, sizes in parts
    ]


def _of_state(path: Path, name: str) -> bool:
    value = _assigned(path)
    return value is not None and any(is_own(n, name) for n in below(value, cst.Attribute))


def _assigned(path: Path) -> cst.BaseExpression | None:
    assign = next((n for n in reversed(path) if isinstance(n, cst.Assign)), None)
    return assign.value if assign is not None else None


def _like(dtype: str, sizes: tuple[int, ...], root: str) -> TensorSignature:
    return TensorSignature(dtype, ("sizes", sizes), frozenset([root]))


def _value(path: Path, inference: Inference, env: Environment) -> Signature:
    """What a write gives; of `tuple(s.detach() for s in self.state)`, what is made of each element."""
    value = _assigned(path) if isinstance(path[-2], cst.AssignTarget) else None
    if value is None:
        return unpacked(path, inference, env)
    if isinstance(value, cst.Call) and dotted(value.func) == "tuple" and len(value.args) == 1:
        value = value.args[0].value
    loop = value.for_in if isinstance(value, (cst.GeneratorExp, cst.ListComp)) else None
    if loop is None or not isinstance(value, (cst.GeneratorExp, cst.ListComp)):
        return inference.infer(value, env)
    over = inference.infer(loop.iter, env)
    if (
        not isinstance(over, Items)
        or not isinstance(loop.target, cst.Name)
        or loop.ifs
        or loop.inner_for_in is not None
    ):
        return inference.infer(value, env)
    made = [inference.infer(value.elt, {**env, loop.target.value: item}) for item in over.items]
    return Items("tuple", tuple(made))


def leaves_of(known: Signature) -> list[tuple[str, tuple[int, ...]]] | None:
    """dtype and sizes of each element of a tuple of tensors; None of anything else."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for item in known.items if isinstance(known, Items) and known.kind in ("tuple", "list") else ():
        sizes = numeric(item.shape) if isinstance(item, TensorSignature) else None
        if not isinstance(item, TensorSignature) or sizes is None or not isinstance(item.dtype, str):
            return None
        found.append((item.dtype, sizes))
    return found or None


def _written(place: FixSite, path: Path, buffers: list[str], flagging: str) -> list[Edit]:
    """A write as one to a local name, from which lines behind write the buffers."""
    assign = next((n for n in reversed(path) if isinstance(n, cst.Assign)), None)
    span = place.tree.span(path[-1])
    if assign is None or len(assign.targets) != 1 or span is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported assignment")
    name = new_name(place, cst.ensure_type(path[-1], cst.Attribute).attr.value)
    lines = [f"self.{buffer}.copy_({name}[{index}].view_as(self.{buffer}))" for index, buffer in enumerate(buffers)]
    return [Edit(span, name), behind(place, path, [*lines, *([flagging] if flagging else [])], within=assign)]


def _read(place: FixSite, path: Path, name: str, buffers: list[str], *, known: bool) -> Edit:
    asked = asks_for_none(path[-2], name)
    span = place.tree.span(path[-2] if asked is not None else path[-1])
    assert span is not None
    if asked is not None:
        return Edit(span, f"{'~' if asked else ''}self.has_{name}")
    if not known and not isinstance(path[-2], (cst.Subscript, cst.CompFor, cst.For)):
        raise FixNotApplicable(NoFix.POSSIBLY_UNBOUND, "it is read where it may be missing")
    return Edit(
        span, f"({', '.join(f'self.{buffer}.clone()' for buffer in buffers)}{',' if len(buffers) == 1 else ''})"
    )
