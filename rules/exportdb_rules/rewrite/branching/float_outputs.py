"""The integers and bools that `torch.cond` gives beside what may need a gradient: floats within the branches, and themselves again
after the call.

Measured on torch 2.13: the backward of `torch.cond` counts a gradient for each output, and has one for each that is floating
(`outs_to_grad length (1) != tangents length (2)`), so that the model no longer trains. float64 holds every int32 and every count
below 2**53 exactly, float32 everything smaller.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.branching.branch_lowering import calling
from exportdb_rules.rewrite.known.liveness import returns
from exportdb_rules.rewrite.known.signature import Items, TensorSignature, floating
from exportdb_rules.rewrite.tree import only_statement

if TYPE_CHECKING:
    from exportdb_rules.rewrite.branching.branch_lowering import Statements
    from exportdb_rules.rewrite.known.inference import Inference
    from exportdb_rules.rewrite.known.signature import Signature

Casts = dict[int, tuple[str, str]]
"""By position among the outputs, the methods that make a float of a tensor, and that make it what it was."""

_CASTS: Final = {
    "bool": ("float()", "bool()"), "int64": ("double()", "long()"), "int32": ("double()", "int()"),
    "int16": ("float()", "short()"), "int8": ("float()", "char()"), "uint8": ("float()", "byte()"),
}  # fmt: skip


def casts(result: Signature) -> Casts:
    """The outputs that have to be floats within the branches; none where no other output can need a gradient."""
    items = result.items if isinstance(result, Items) and result.kind == "tuple" else ()
    dtypes = [item.dtype if isinstance(item, TensorSignature) else None for item in items]
    if not any(map(floating, dtypes)):
        return {}
    return {at: _CASTS[dtype] for at, dtype in enumerate(dtypes) if isinstance(dtype, str) and dtype in _CASTS}


def as_floats(block: Statements, result: Signature, wanted: Casts, inference: Inference) -> Statements | None:
    """A side that returns a tuple at its end, and only there, with floats in the places that are wanted, so that it gives
    `result`; None of another."""
    last = only_statement([block[-1]])
    if len(returns(block)) != 1 or not isinstance(last, cst.Return) or not isinstance(last.value, cst.Tuple):
        return None
    assert isinstance(result, Items)
    elements = list(last.value.elements)
    for at, (method, _) in wanted.items():
        value = _cast(elements[at].value, method)
        inference.known[value] = result.items[at]
        elements[at] = elements[at].with_changes(value=value)
    returned = last.with_changes(value=last.value.with_changes(elements=elements))
    return [*block[:-1], block[-1].with_changes(body=[returned])]


def of_floats(result: Signature, wanted: Casts) -> Signature:
    """What a side gives that has floats in the places that are wanted."""
    if not isinstance(result, Items):
        return result
    items = list(result.items)
    for at, (method, _) in wanted.items():
        item = items[at]
        assert isinstance(item, TensorSignature)
        items[at] = replace(item, dtype="float64" if method == "double()" else "float32", observed=None)
    return replace(result, items=tuple(items))


def restored(name: str, result: Signature, wanted: Casts) -> str:
    """The code of a tuple of what a name holds, with each output as what it was."""
    assert isinstance(result, Items)
    parts = (f"{name}[{at}].{wanted[at][1]}" if at in wanted else f"{name}[{at}]" for at in range(len(result.items)))
    return ", ".join(parts)


def _cast(node: cst.BaseExpression, method: str) -> cst.BaseExpression:
    """`x.float()` of `x`, and of `x.clone()`: a cast to another dtype is a copy."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "clone":
        node = node.func.value
    return calling(node, method)
