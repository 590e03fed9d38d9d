"""What the interpreter's values say of a tensor's dtype and shape, as signatures."""

from __future__ import annotations

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    UNKNOWN,
    Items,
    Number,
    Signature,
    TensorSignature,
    normal,
)


def of_value(value: domain.Value, code: str, roots: frozenset[str]) -> Signature:
    """The signature of a name or an attribute, whose dtype is taken to be floating for want of evidence."""
    known = observed_signature(value, code, roots)
    if not isinstance(known, TensorSignature):
        return known
    return TensorSignature(
        DEFAULT_FLOAT if known.dtype is None or not isinstance(known.dtype, str) else known.dtype,
        ("of", code) if known.shape is None else known.shape,
        roots,
        known.maybe_noncontiguous,
        known.observed,
    )


def observed_signature(value: domain.Value, code: str, roots: frozenset[str]) -> Signature:
    """What the interpreter alone says."""
    kinds = lattice.choices(value)
    if all(type(c) is domain.Tensor for c in kinds):
        tensors = [c for c in kinds if isinstance(c, domain.Tensor)]
        if any(c.array for c in tensors):
            # An operator of torch's has no use for it in eager.
            return UNKNOWN
        dtypes = {c.dtype for c in tensors}
        shapes = {SCALAR if c.rank == 0 else c.shape for c in tensors}
        shape = shapes.pop() if len(shapes) == 1 else None
        if any(c.unbacked for c in tensors):
            shape = None
        dtype = dtypes.pop() if len(dtypes) == 1 else None
        return TensorSignature(normal(dtype), shape, roots, False, (dtype, shape))
    if all(_numeric(c) for c in kinds):
        return Number(floating=any(_floats(c) for c in kinds))
    if isinstance(value, lattice.Sequence) and value.items is not None and value.type in ("tuple", "list"):
        parts = [of_value(v, f"{code}[{i}]", roots) for i, v in enumerate(value.items)]
        return Items(value.type, tuple(parts))
    return UNKNOWN


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
