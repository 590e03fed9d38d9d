"""What the interpreter's values say of a tensor's dtype and shape, as signatures."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.interpreter.shape_tokens import parts_of
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    MODULE,
    SCALAR,
    UNKNOWN,
    Items,
    Number,
    Signature,
    TensorSignature,
    broadcast_shapes,
    normal,
    numeric,
    sized,
)
from exportdb_rules.torch_api import STATEFUL_LAYERS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping


def of_value(
    value: domain.Value, code: str, storages: frozenset[str], sizes: Mapping[str, int] | None = None
) -> Signature:
    """The signature of a name or an attribute, whose dtype is taken to be floating for want of evidence."""
    known = observed_signature(value, code, storages, sizes)
    if not isinstance(known, TensorSignature):
        return known
    return TensorSignature(
        DEFAULT_FLOAT if known.dtype is None or not isinstance(known.dtype, str) else known.dtype,
        ("of", code) if known.shape is None else known.shape,
        storages,
        known.maybe_noncontiguous,
        known.observed,
        known.value,
    )


def observed_signature(
    value: domain.Value,
    code: str,
    storages: frozenset[str],
    sizes: Mapping[str, int] | None = None,
    *,
    supposed: bool = False,
) -> Signature:
    """What the interpreter alone says. `sizes` are those of the example inputs, where they may be presumed; `supposed`: it was
    told the shapes of the parts."""
    kinds = lattice.choices(value)
    if all(type(c) is domain.Tensor for c in kinds):
        tensors = [c for c in kinds if isinstance(c, domain.Tensor)]
        if any(c.array or domain.is_returned(c) for c in tensors):
            # An operator of torch's has no use for an array in eager; what code returned that is not analyzed may be anything.
            return UNKNOWN
        dtypes = {c.dtype for c in tensors}
        shapes = {SCALAR if c.rank == 0 else c.shape for c in tensors}
        shape = shapes.pop() if len(shapes) == 1 else None
        shape = None if shape is None else presumed(shape)
        if any(c.unbacked for c in tensors) and not supposed:
            shape = None
        dtype = dtypes.pop() if len(dtypes) == 1 else None
        seen = None if sizes is None or len(tensors) != 1 else in_numbers(tensors[0], sizes)
        shown = shape if seen is None else sized(seen)
        return TensorSignature(normal(dtype), shown, storages, False, (dtype, shape), value)
    if all(_numeric(c) for c in kinds):
        found = {_whole(c, sizes) for c in kinds}
        return Number(floating=any(_floats(c) for c in kinds), size=found.pop() if len(found) == 1 else None)
    if all(isinstance(c, domain.Instance) and c.external.startswith("torch.nn.") for c in kinds):
        return MODULE
    if isinstance(value, lattice.Sequence) and value.items is not None and value.type in ("tuple", "list"):
        parts = [of_value(v, f"{code}[{i}]", storages, sizes) for i, v in enumerate(value.items)]
        return Items(value.type, tuple(parts))
    return UNKNOWN


def keeps_statistics(values: Iterable[domain.Value]) -> bool:
    """Whether calling one of these in training changes buffers: it is, or holds, a batch normalisation."""
    waiting, seen = list(values), set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, domain.Instance):
            if value.external.rpartition(".")[2] in STATEFUL_LAYERS:
                return True
            waiting += [*value.attributes.values(), *([] if value.elements is None else lattice.held(value.elements))]
        else:
            waiting += lattice.held(value)
    return False


def presumed(shape: Hashable) -> Hashable:
    """A shape as signatures write it: what is broadcast has the shape of what a statistic or a parameter meets."""
    parts = [part if (sizes := numeric(part)) is None else sized(sizes) for part in sorted(parts_of(shape), key=repr)]
    first, *others = parts
    return reduce(broadcast_shapes, others, first)


def in_numbers(tensor: domain.Tensor, sizes: Mapping[str, int]) -> tuple[int, ...] | None:
    """The sizes of a tensor, where the dynamic dimensions have those of the example inputs; None where one is not known."""
    terms = [term_of(dim) for dim in tensor.dims or ()]
    known = [None if term is None else term.at(sizes) for term in terms]
    found = tuple([size for size in known if size is not None])
    return None if tensor.dims is None or tensor.unbacked or len(found) < len(known) else found


def _whole(value: domain.Value, sizes: Mapping[str, int] | None) -> int | None:
    """The whole number that a value is, where the dynamic dimensions have the sizes of the example inputs."""
    if sizes is None:
        return None
    term = term_of(value)
    return None if term is None else term.at(sizes)


def _numeric(value: domain.Value) -> bool:
    if isinstance(value, domain.Const):
        return isinstance(value.value, (bool, int, float))
    if isinstance(value, (domain.Static, domain.TraceTime)):
        return value.type in ("int", "float", "bool")
    return isinstance(value, domain.Sym)


def _floats(value: domain.Value) -> bool:
    if isinstance(value, domain.Const):
        return isinstance(value.value, float)
    return getattr(value, "type", "") == "float"
