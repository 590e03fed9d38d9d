"""Signatures of calls of torch's functions and of the methods of tensors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.operator_table import Operator, operator
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    UNKNOWN,
    Dtype,
    Items,
    Number,
    Reduced,
    Signature,
    TensorSignature,
    broadcast,
    counted,
    floating,
    leaves,
    normal,
    sized,
    whole,
)
from exportdb_rules.rewrite.tree import arguments
from exportdb_rules.torch_api import CASTS, PERMUTING, RESHAPING, of_operator

if TYPE_CHECKING:
    from collections.abc import Hashable

    from exportdb_rules.rewrite.known.inference import Environment, Inference


# Those that make a tensor of numbers: the interpreter says of which sizes.
_MADE: Final = frozenset(("arange", "eye", "linspace", "logspace", "randint", "randperm"))
_NEW: Final = ("zeros", "ones", "full", "empty", "rand", "randn")
# Those that give values and indices, and those that do where they are given a dimension.
_ORDERING: Final = frozenset(("sort", "topk", "cummax", "cummin"))
_INDEXED: Final = frozenset(("max", "min", "median", "mode", "kthvalue"))


class TorchCalls:
    """What torch's functions make of the signatures of their arguments."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    def function(
        self,
        name: str,
        args: list[cst.Arg],
        node: cst.Call,
        env: Environment,
        receiver: TensorSignature | None = None,
    ) -> Signature:
        """A torch function or method; `args` has the receiver first."""
        inplace = name.endswith("_") and not name.endswith("__")
        plain = name[:-1] if inplace else name
        given = arguments(args)
        positional, keywords = given.positional, given.named
        if "out" in keywords:
            return UNKNOWN
        if name in _NEW:
            return self._new(name, args, keywords, env)
        if receiver is not None and name.removeprefix("new_") in _NEW:
            made = self._new("new", args[1:2] if name == "new_full" else args[1:], keywords, env)
            kept = isinstance(made, TensorSignature) and "dtype" not in keywords
            return (
                TensorSignature(receiver.dtype, made.shape, made.storages)
                if kept and isinstance(made, TensorSignature)
                else made
            )
        if name == "new_tensor" and receiver is not None and len(positional) == 2:
            number = self._inference.infer(positional[1], env)
            made = self._literal(number, keywords, env) if isinstance(number, Number) else UNKNOWN
            kept = isinstance(made, TensorSignature) and "dtype" not in keywords
            return replace(made, dtype=receiver.dtype) if kept and isinstance(made, TensorSignature) else made
        if name in _MADE and receiver is None:
            dtype = self._dtype_of(keywords, operator(name).dtype or None, env)
            return TensorSignature(dtype, None, self._inference.fresh())
        first: Signature = receiver or (self._inference.infer(positional[0], env) if positional else UNKNOWN)
        if name in ("stack", "cat", "concat", "hstack", "vstack"):
            return self._cat(name, first, node, env)
        if name == "where" and len(positional) == 3:
            one, condition = positional[:2] if receiver is not None else (positional[1], positional[0])
            return self._chosen(condition, one, positional[2], env)
        if operator(name).broadcasts and len(positional) > 1 and not isinstance(first, TensorSignature):
            other = self._inference.infer(positional[1], env)
            return self._inference.arithmetic(first, other, _divides(name, keywords))
        if name in ("max", "min") and len(positional) > 1 and isinstance(first, TensorSignature):
            other = self._inference.infer(positional[1], env)
            if isinstance(other, TensorSignature):
                return self._inference.arithmetic(first, other)
        if name in ("tensor", "as_tensor", "scalar_tensor"):
            return self._literal(first, keywords, env)
        if name == "take" and len(positional) == 2:
            index = self._inference.infer(positional[1], env)
            dtype = first.dtype if isinstance(first, TensorSignature) else None
            return TensorSignature(
                dtype, index.shape if isinstance(index, TensorSignature) else None, self._inference.fresh()
            )
        if not isinstance(first, TensorSignature):
            return UNKNOWN
        if inplace and receiver is not None:
            return UNKNOWN if name in RESHAPING else first
        if name == "item":
            return Number(floating=floating(first.dtype))
        if name in ("size", "numel", "dim", "stride", "storage_offset"):
            return UNKNOWN if name == "size" and given.get(1, "dim") is None else Number()
        if name in _ORDERING or (name in _INDEXED and (len(positional) > 1 or "dim" in keywords)):
            pair = [TensorSignature(dtype, None, self._inference.fresh()) for dtype in (first.dtype, "int64")]
            return Items(f"torch.return_types.{name}", tuple(pair))
        return self._elementwise(plain, first, positional[1:], keywords, env) or self._other(
            plain, first, node, args, env
        )

    def _chosen(
        self, condition: cst.BaseExpression, one: cst.BaseExpression, other: cst.BaseExpression, env: Environment
    ) -> Signature:
        """`torch.where` of a condition, which has a part in the shape."""
        merged = self._inference.arithmetic(self._inference.infer(one, env), self._inference.infer(other, env))
        asked = self._inference.infer(condition, env)
        if not isinstance(merged, TensorSignature):
            return UNKNOWN
        if not isinstance(asked, TensorSignature):
            return merged
        wider = merged.shape == SCALAR or None not in (counted(asked.shape), counted(merged.shape))
        return replace(merged, shape=broadcast(asked, merged)) if wider else merged

    def _elementwise(
        self,
        name: str,
        first: TensorSignature,
        rest: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> TensorSignature | None:
        row = operator(name)
        if row.fresh and row.dtype and row.shape == "same":
            dtype = self._dtype_of(keywords, _result_dtype(row, first), env)
            loose = first.maybe_noncontiguous or not row.contiguous
            return TensorSignature(dtype, first.shape, self._inference.fresh(), loose)
        if row.broadcasts or (row.fresh and row.dtype and row.shape == "broadcast"):
            merged: Signature = first
            for other in rest:
                merged = self._inference.arithmetic(merged, self._inference.infer(other, env), _divides(name, keywords))
            if not isinstance(merged, TensorSignature):
                return None
            dtype = merged.dtype if row.dtype in ("promoted", "divided") else _result_dtype(row, first)
            return TensorSignature(dtype, merged.shape, self._inference.fresh(), merged.maybe_noncontiguous)
        if name in ("dropout", "alpha_dropout", "feature_dropout"):
            return first
        return None

    def _other(
        self, name: str, first: TensorSignature, node: cst.Call, args: list[cst.Arg], env: Environment
    ) -> Signature:
        rest = args[1:]
        code = ", ".join([self._inference.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in rest])
        stable = self._inference.stable(rest, env) and first.shape is not None
        row, api = operator(name), of_operator(name)
        if row.shape == "reduced":
            shape = SCALAR if not rest else Reduced(first.shape, code) if stable else None
            dtype = _result_dtype(row, first) if row.dtype else first.dtype
            return TensorSignature(self._dtype_of(arguments(rest).named, dtype, env), shape, self._inference.fresh())
        if name in CASTS:
            # Only where the dtype is sure to be another one, the result is sure to be another tensor.
            made = normal(CASTS[name])
            other = isinstance(first.dtype, str) and first.dtype not in (DEFAULT_FLOAT, made)
            storages = self._inference.fresh() if other else first.storages
            return TensorSignature(made, first.shape, storages, first.maybe_noncontiguous)
        if name in ("to", "type", "type_as") or (row.shape == "same" and row.dtype == "kept"):
            return self._passing(name, first, rest, env)
        if name in ("chunk", "split", "unbind"):
            return UNKNOWN
        if name == "view" and rest and (named := self._dtype(rest[0].value, env)) is not None:
            return TensorSignature(named, None, first.storages, first.maybe_noncontiguous)
        if api is not None and api.view and api.returns == ["T"] and row.dtype == "kept":
            shape = ("view", name, first.shape, code) if stable else None
            noncontiguous = name in PERMUTING or name in ("expand", "expand_as", "broadcast_to")
            return TensorSignature(first.dtype, shape, first.storages, first.maybe_noncontiguous or noncontiguous)
        if row.fresh and (row.dtype or name == "embedding"):
            sources = [self._inference.infer(a.value, env) for a in rest]
            shapes = tuple(
                [
                    s.shape if isinstance(s, TensorSignature) else self._inference.tree.code(a.value)
                    for s, a in zip(sources, rest, strict=True)
                ]
            )
            shape = None if None in (first.shape, *shapes) else ("made", name, first.shape, shapes)
            if row.shape == "scalar" and "reduction" not in code:
                shape = SCALAR
            elif api is None or (api.dynamic and not (name == "one_hot" and rest)):
                shape = None
            dtypes = {s.dtype for s in (first, *sources) if isinstance(s, TensorSignature)}
            dtype = _result_dtype(row, first)
            if name == "embedding":
                dtype = sources[0].dtype if sources and isinstance(sources[0], TensorSignature) else None
            elif row.dtype in ("promoted", "divided") and len(dtypes) > 1:
                dtype = None
            return TensorSignature(dtype, shape, self._inference.fresh(), not row.contiguous)
        return UNKNOWN

    def _passing(self, name: str, first: TensorSignature, rest: list[cst.Arg], env: Environment) -> Signature:
        if name == "to":
            dtype: object = first.dtype
            for arg in rest:
                named = self._dtype(arg.value, env)
                if named is not None:
                    dtype = named
                elif isinstance(other := self._inference.infer(arg.value, env), TensorSignature):
                    dtype = other.dtype
                elif arg.keyword is not None and arg.keyword.value == "dtype":
                    dtype = None
                elif not self._inference.tree.code(arg.value).endswith(
                    ("device", "'cpu'", '"cpu"', "'cuda'", '"cuda"')
                ):
                    dtype = None if arg.keyword is None else dtype
            return TensorSignature(dtype, first.shape, first.storages, first.maybe_noncontiguous)
        if name in ("type_as", "type"):
            other = self._inference.infer(rest[0].value, env) if rest else UNKNOWN
            given = other.dtype if isinstance(other, (TensorSignature, Dtype)) else None
            return TensorSignature(given, first.shape, first.storages, first.maybe_noncontiguous)
        return TensorSignature(
            first.dtype, first.shape, first.storages, first.maybe_noncontiguous and name != "contiguous"
        )

    def _dtype_of(self, keywords: dict[str, cst.BaseExpression], otherwise: Hashable, env: Environment) -> Hashable:
        """The dtype that a call asks for by `dtype=`, None where that is not known; `otherwise` where it does not ask."""
        return self._dtype(keywords["dtype"], env) if "dtype" in keywords else otherwise

    def _dtype(self, node: cst.BaseExpression, env: Environment) -> Hashable:
        """The dtype that an expression names; None if it names none."""
        known = self._inference.infer(node, env)
        return known.dtype if isinstance(known, Dtype) else None

    def _new(
        self, name: str, args: list[cst.Arg], keywords: dict[str, cst.BaseExpression], env: Environment
    ) -> Signature:
        sizes = [a.value for a in args if a.keyword is None]
        filled: Hashable = DEFAULT_FLOAT
        if name == "full":
            value = self._inference.infer(sizes[1], env) if len(sizes) > 1 else UNKNOWN
            known = value.code if isinstance(value, Number) else ""
            whole = "bool" if known in ("True", "False") else "int64" if known else None
            filled = DEFAULT_FLOAT if isinstance(value, Number) and value.floating else whole
            sizes = sizes[:1]
        sizes = sizes or ([keywords["size"]] if "size" in keywords else [])
        numbers = self._written(sizes, env) if sizes else None
        shape: Hashable = None
        if numbers is not None:
            shape = sized(numbers)
        elif sizes and self._inference.stable(sizes, env):
            shape = ("new", ", ".join([self._inference.tree.code(size) for size in sizes]))
        return TensorSignature(self._dtype_of(keywords, filled, env), shape, self._inference.fresh())

    def _literal(self, value: Signature, keywords: dict[str, cst.BaseExpression], env: Environment) -> Signature:
        sizes = _nested(value)
        if sizes is None:
            named = self._dtype_of(keywords, None, env)
            return UNKNOWN if named is None else TensorSignature(named, None, self._inference.fresh())
        found = [_literal_dtype(leaf) for leaf in leaves(value)]
        made = DEFAULT_FLOAT if DEFAULT_FLOAT in found else found[0] if len({*found}) == 1 else None
        return TensorSignature(self._dtype_of(keywords, made, env), sized(sizes), self._inference.fresh())

    def _cat(self, name: str, first: Signature, node: cst.Call, env: Environment) -> Signature:
        if not isinstance(first, Items) or not all(isinstance(i, TensorSignature) for i in first.items):
            return UNKNOWN
        tensors = [i for i in first.items if isinstance(i, TensorSignature)]
        dtypes = {t.dtype for t in tensors}
        shapes = tuple([t.shape for t in tensors])
        rest = ", ".join(
            [self._inference.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in node.args[1:]]
        )
        if None in shapes or len(dtypes) != 1 or not self._inference.stable(node.args[1:], env):
            return TensorSignature(None, None, self._inference.fresh())
        return TensorSignature(dtypes.pop(), (name, shapes, rest), self._inference.fresh())

    def _written(self, args: list[cst.BaseExpression], env: Environment) -> tuple[int, ...] | None:
        """Sizes as `zeros` takes them, one after the other or as one tuple; None where one is not known."""
        given = [self._inference.infer(arg, env) for arg in args]
        if len(given) == 1 and isinstance(given[0], Items):
            given = list(given[0].items)
        found = [whole(known) for known in given]
        return None if None in found else tuple([size for size in found if size is not None])


def _nested(value: Signature) -> tuple[int, ...] | None:
    """The sizes of the tensor that lists of numbers (or of tensors without dimensions) make; None of anything else."""
    if isinstance(value, Number):
        return () if value.code else None
    if isinstance(value, TensorSignature):
        return () if value.shape == SCALAR else None
    if not isinstance(value, Items) or value.kind not in ("list", "tuple") or not value.items:
        return None
    inner = {_nested(item) for item in value.items}
    sizes = inner.pop() if len(inner) == 1 else None
    return None if sizes is None else (len(value.items), *sizes)


def _literal_dtype(value: Signature) -> Hashable:
    if isinstance(value, TensorSignature):
        return value.dtype
    if not isinstance(value, Number):
        return None
    return "bool" if value.code in ("True", "False") else DEFAULT_FLOAT if value.floating else "int64"


def _result_dtype(row: Operator, first: TensorSignature) -> Hashable:
    """The dtype of what an operator makes of a tensor alone. What is not known to hold whole numbers is taken to be floating."""
    whole = row.dtype in ("bool", "int64") or not floating(first.dtype)
    return normal(row.result_dtype(first.dtype)) if whole else first.dtype


def _divides(name: str, keywords: dict[str, cst.BaseExpression]) -> bool:
    """Whether an operator divides so that whole numbers give a fraction."""
    return name in ("div", "divide", "true_divide") and "rounding_mode" not in keywords


def spelled_dtype(name: str) -> Hashable:
    """The dtype that `torch.<name>` is, as signatures write it; None if it is none."""
    known = CASTS.get(name, name)
    return normal(known) if known in _DTYPES else None


_DTYPES: Final = frozenset(
    (DEFAULT_FLOAT, "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
)
