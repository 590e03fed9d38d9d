"""Signatures of subscripts: rows, slices and masks of tensors, items of tuples, lists and dicts, modules of a list."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.known.signature import (
    INTEGERS,
    SCALAR,
    UNKNOWN,
    Items,
    MaskedShape,
    Number,
    Signature,
    Sliced,
    TensorSignature,
    numeric,
    row_shape,
)
from exportdb_rules.rewrite.tree import signed
from exportdb_rules.values import Tensor

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from exportdb_rules.rewrite.known.expressions import Environment
    from exportdb_rules.rewrite.known.inference import Inference


class Subscripts:
    """What subscripts give."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def item(self, node: cst.Subscript, env: Environment) -> Signature:
        """The signature of a subscript."""
        base = self._inference.infer(node.value, env)
        if isinstance(base, Items):
            return self._of_items(base, node.slice)
        return self._of_tensor(node, base, env) if isinstance(base, TensorSignature) else UNKNOWN

    def _of_tensor(self, node: cst.Subscript, base: TensorSignature, env: Environment) -> TensorSignature:
        inference = self._inference
        indices = [self._index(element, env) for element in node.slice]
        seen = None if inference.strict else inference.known_value(node)
        shape = seen.shape if isinstance(seen, TensorSignature) and numeric(seen.shape) is not None else None
        code = ", ".join([inference.tree.code(e.slice) for e in node.slice])
        if shape is not None:
            whole = all(isinstance(index, TensorSignature) for index in indices) and shape != base.shape
            gathered = any(isinstance(index, TensorSignature) and index.shape != SCALAR for index in indices)
            begin = node.slice[0].slice
            sizes = numeric(shape)
            if isinstance(begin, cst.Slice) and (begin.lower or begin.upper or begin.step) and sizes is not None:
                shape = Sliced(base.shape, code, sizes)
            return TensorSignature(base.dtype, shape, inference.fresh() if gathered else base.storages, not whole)
        rows = _row(base.shape, indices)
        if rows is not None:
            return TensorSignature(base.dtype, rows, base.storages, base.maybe_noncontiguous)
        only = indices[0] if len(indices) == 1 else UNKNOWN
        mask = isinstance(only, TensorSignature) and only.dtype == "bool" and len(numeric(only.shape) or ()) == 1
        if mask or self._is_list_of_places(node):
            # The rows that a mask picks, or a list of their places, in storage of their own.
            rows = None if base.shape is None else MaskedShape(base.shape, code)
            return TensorSignature(base.dtype, rows, inference.fresh())
        shape = ("index", base.shape, code) if base.shape is not None and inference.stable(node.slice, env) else None
        return TensorSignature(base.dtype, shape, base.storages, True)

    def _is_list_of_places(self, node: cst.Subscript) -> bool:
        """Whether a tensor is indexed by one list of places whose length comes from data."""
        only = node.slice[0].slice
        value = self._inference.value(only.value) if isinstance(only, cst.Index) and len(node.slice) == 1 else None
        return type(value) is Tensor and value.rank == 1 and value.unbacked and value.dtype in INTEGERS

    def _index(self, element: cst.SubscriptElement, env: Environment) -> Signature:
        index = element.slice
        plain = isinstance(index, cst.Index) and index.star is None
        return self._inference.infer(index.value, env) if plain and isinstance(index, cst.Index) else UNKNOWN

    def _of_items(self, base: Items, index: Sequence[cst.SubscriptElement]) -> Signature:
        """An element of a tuple, a list or a dict, or a slice of it."""
        if len(index) != 1:
            return UNKNOWN
        (element,) = index
        if base.kind.startswith("dict"):
            keys = dict_keys(base)
            code = self._inference.tree.code(element.slice)
            return base.items[keys.index(code)] if code in keys else UNKNOWN
        if isinstance(element.slice, cst.Slice):
            start, stop = [None if end is None else signed(end) for end in (element.slice.lower, element.slice.upper)]
            unknown = (element.slice.lower, element.slice.upper).count(None) != (start, stop).count(None)
            return UNKNOWN if unknown or element.slice.step is not None else Items(base.kind, base.items[start:stop])
        at = signed(element.slice.value) if isinstance(element.slice, cst.Index) else None
        return base.items[at] if at is not None and -len(base.items) <= at < len(base.items) else UNKNOWN


def _row(shape: Hashable, indices: Sequence[Signature]) -> Hashable:
    """The shape of `t[i]` and `t[i, j]` with numbers as indices; None for any other subscript."""
    for index in indices:
        scalar = isinstance(index, TensorSignature) and index.shape == SCALAR and index.dtype != "bool"
        if not isinstance(index, Number) and not scalar:
            return None
        shape = row_shape(shape)
    return shape


def dict_keys(known: Items) -> list[str]:
    """The keys, as code, of what is a dict; none of a tuple or a list."""
    return ast.literal_eval(known.kind.removeprefix("dict ")) if known.kind.startswith("dict ") else []
