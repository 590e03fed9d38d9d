"""Signatures of calls of torch's functions and of the methods of tensors."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.known import operators as ops
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    UNKNOWN,
    Dtype,
    Items,
    Number,
    Reduced,
    Signature,
    Tensor,
    amount,
    counted,
    floating,
    leaves,
    normal,
    sized,
)
from exportdb_rules.rewrite.tree import arguments

if TYPE_CHECKING:
    from collections.abc import Hashable

    from exportdb_rules.rewrite.known.inference import Environment, Inference


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
        receiver: Tensor | None = None,
    ) -> Signature:
        """A torch function or method; `args` has the receiver first."""
        inplace = name.endswith("_") and not name.endswith("__")
        plain = name[:-1] if inplace else name
        given = arguments(args)
        positional, keywords = given.positional, given.named
        if "out" in keywords:
            return UNKNOWN
        if name in ops.NEW:
            return self._new(name, args, keywords, env)
        if receiver is not None and name.removeprefix("new_") in ops.NEW:
            made = self._new("new", args[1:2] if name == "new_full" else args[1:], keywords, env)
            kept = isinstance(made, Tensor) and "dtype" not in keywords
            return Tensor(receiver.dtype, made.shape, made.roots) if kept and isinstance(made, Tensor) else made
        if name in ("arange", "linspace", "eye") and receiver is None:
            return self._counted(name, positional, keywords, env)
        first: Signature = receiver or (self._inference.infer(positional[0], env) if positional else UNKNOWN)
        if name in ("stack", "cat", "concat", "hstack", "vstack"):
            return self._cat(name, first, node, env)
        if name == "where" and len(positional) == 3:
            merged = self._inference.arithmetic(
                self._inference.infer(positional[1], env), self._inference.infer(positional[2], env)
            )
            return merged if isinstance(merged, Tensor) else UNKNOWN
        if name in ("maximum", "minimum", *ops.BINARY) and len(positional) > 1 and not isinstance(first, Tensor):
            return self._inference.arithmetic(first, self._inference.infer(positional[1], env))
        if name in ("max", "min") and len(positional) > 1 and isinstance(first, Tensor):
            other = self._inference.infer(positional[1], env)
            if isinstance(other, Tensor):
                return self._inference.arithmetic(first, other)
        if name in ("tensor", "as_tensor", "scalar_tensor"):
            return self._literal(first, keywords, env)
        if name == "take" and len(positional) == 2:
            index = self._inference.infer(positional[1], env)
            dtype = first.dtype if isinstance(first, Tensor) else None
            return Tensor(dtype, index.shape if isinstance(index, Tensor) else None, self._inference.fresh())
        if not isinstance(first, Tensor):
            return UNKNOWN
        if inplace and receiver is not None:
            return first
        if name == "item":
            return Number(floating=floating(first.dtype))
        if name in ("size", "numel", "dim", "stride", "storage_offset"):
            return self._size(name, first, positional[1:], env)
        rest = args[1:] if receiver is not None or args[0].keyword is None else args
        several = self._inference.examples.several(plain, first, rest, env)
        if several is not None:
            return several
        found = self._elementwise(plain, first, positional[1:], keywords, env) or self._other(
            plain, first, node, args, env
        )
        shape = self._inference.examples.shape(plain, first, rest, env) if isinstance(found, Tensor) else None
        return found if shape is None or not isinstance(found, Tensor) else replace(found, shape=shape)

    def _size(self, name: str, first: Tensor, rest: list[cst.BaseExpression], env: Environment) -> Signature:
        """`x.size(0)` and the like."""
        sizes = counted(first.shape)
        if name == "size" and not rest:
            return UNKNOWN if sizes is None else Items("tuple", tuple([amount(n) for n in sizes]))
        if sizes is None or name not in ("size", "numel", "dim"):
            return Number()
        if name != "size":
            return amount(prod(sizes) if name == "numel" else len(sizes))
        at = self._inference.examples.number(rest[0], env)
        return amount(sizes[at]) if at is not None and -len(sizes) <= at < len(sizes) else Number()

    def _elementwise(
        self,
        name: str,
        first: Tensor,
        rest: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Tensor | None:
        dtype: object = self._dtype(keywords["dtype"], env) if "dtype" in keywords else None
        if name in ops.FLOATING:
            kept = first.dtype if floating(first.dtype) else DEFAULT_FLOAT
            return Tensor(dtype or kept, first.shape, self._inference.fresh(), first.permuted)
        if name in ops.KEEPING or name in ops.LIKE:
            kept = first.dtype
            if name in ("cumsum", "cumprod") and not floating(kept):
                kept = "int64"
            return Tensor(dtype or kept, first.shape, self._inference.fresh(), first.permuted)
        if name in ops.BINARY or name in ops.COMPARISONS:
            merged: Signature = first
            for other in rest:
                merged = self._inference.arithmetic(
                    merged, self._inference.infer(other, env), name in ("div", "divide", "true_divide")
                )
            if not isinstance(merged, Tensor):
                return None
            return Tensor(
                "bool" if name in ops.COMPARISONS else merged.dtype,
                merged.shape,
                self._inference.fresh(),
                merged.permuted,
            )
        if name in ops.PREDICATES:
            return Tensor("bool", first.shape, self._inference.fresh(), first.permuted)
        if name in ("dropout", "alpha_dropout", "feature_dropout"):
            return first
        return None

    def _other(self, name: str, first: Tensor, node: cst.Call, args: list[cst.Arg], env: Environment) -> Signature:
        rest = args[1:]
        code = ", ".join([self._inference.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in rest])
        stable = self._inference.stable(rest, env) and first.shape is not None
        if name in ops.REDUCTIONS | ops.BOOLEAN_REDUCTIONS | ops.INDEX_REDUCTIONS:
            if name in ("max", "min", "median") and rest:
                return UNKNOWN
            shape = Reduced(first.shape, code) if stable else None
            if not rest:
                shape = SCALAR
            dtype: object = first.dtype
            if name in ops.BOOLEAN_REDUCTIONS:
                dtype = "bool"
            elif name in ops.INDEX_REDUCTIONS or (name in ("sum", "prod", "nansum") and not floating(first.dtype)):
                dtype = "int64"
            return Tensor(dtype, shape, self._inference.fresh())
        if name == "argsort":
            return Tensor("int64", first.shape, self._inference.fresh())
        if name in ops.CASTS:
            roots = (
                first.roots
                if normal(ops.CASTS[name]) == first.dtype or first.dtype == DEFAULT_FLOAT
                else self._inference.fresh()
            )
            return Tensor(ops.CASTS[name], first.shape, roots, first.permuted)
        if name in ops.PASSING:
            return self._passing(name, first, rest, env)
        if name in ("chunk", "split", "unbind"):
            return UNKNOWN
        if name in ops.VIEWS:
            return Tensor(
                first.dtype, ("view", name, first.shape, code) if stable else None, first.roots, first.permuted
            )
        if name in ops.TRANSPOSING:
            return Tensor(first.dtype, ("view", name, first.shape, code) if stable else None, first.roots, True)
        if name in ops.MAKING:
            sources = [self._inference.infer(a.value, env) for a in rest]
            shapes = tuple(
                [
                    s.shape if isinstance(s, Tensor) else self._inference.tree.code(a.value)
                    for s, a in zip(sources, rest, strict=True)
                ]
            )
            shape = ("made", name, first.shape, shapes)
            if name in ops.LOSSES and "reduction" not in code:
                shape = SCALAR
            if name in ("masked_fill", "masked_scatter", "index_fill", "index_add", "scatter", "scatter_add", "fill"):
                shape = first.shape
            dtype = "int64" if name in ("one_hot", "bincount") else first.dtype
            if name == "embedding":
                second = sources[0] if sources else UNKNOWN
                dtype = second.dtype if isinstance(second, Tensor) else None
            return Tensor(dtype, shape, self._inference.fresh(), name == "einsum")
        return UNKNOWN

    def _passing(self, name: str, first: Tensor, rest: list[cst.Arg], env: Environment) -> Signature:
        if name == "to":
            dtype: object = first.dtype
            for arg in rest:
                named = self._dtype(arg.value, env)
                if named is not None:
                    dtype = named
                elif isinstance(other := self._inference.infer(arg.value, env), Tensor):
                    dtype = other.dtype
                elif arg.keyword is not None and arg.keyword.value == "dtype":
                    dtype = None
                elif not self._inference.tree.code(arg.value).endswith(
                    ("device", "'cpu'", '"cpu"', "'cuda'", '"cuda"')
                ):
                    dtype = None if arg.keyword is None else dtype
            return Tensor(dtype, first.shape, first.roots, first.permuted)
        if name in ("type_as", "type"):
            other = self._inference.infer(rest[0].value, env) if rest else UNKNOWN
            given = other.dtype if isinstance(other, (Tensor, Dtype)) else None
            return Tensor(given, first.shape, first.roots, first.permuted)
        return Tensor(first.dtype, first.shape, first.roots, first.permuted and name != "contiguous")

    def _dtype(self, node: cst.BaseExpression, env: Environment) -> Hashable:
        """The dtype that an expression names; None if it names none."""
        known = self._inference.infer(node, env)
        return known.dtype if isinstance(known, Dtype) else None

    def _new(
        self, name: str, args: list[cst.Arg], keywords: dict[str, cst.BaseExpression], env: Environment
    ) -> Signature:
        sizes = [a for a in args if a.keyword is None]
        filled: object = DEFAULT_FLOAT
        if name == "full":
            value = self._inference.infer(sizes[1].value, env) if len(sizes) > 1 else UNKNOWN
            known = value.code if isinstance(value, Number) else ""
            whole = "bool" if known in ("True", "False") else "int64" if known else None
            filled = DEFAULT_FLOAT if isinstance(value, Number) and value.floating else whole
            sizes = sizes[:1]
        code = ", ".join([self._inference.tree.code(a.value) for a in sizes])
        dtype: object = self._dtype(keywords["dtype"], env) if "dtype" in keywords else filled
        shape = ("new", code) if self._inference.stable(sizes, env) else None
        numbers = _numbers([a.value for a in sizes]) or self._inference.examples.written([a.value for a in sizes], env)
        if numbers is not None:
            shape = ("sizes", numbers)
        if code in ("()", "[]"):
            shape = SCALAR
        return Tensor(dtype, shape, self._inference.fresh())

    def _counted(
        self, name: str, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression], env: Environment
    ) -> Signature:
        """`arange`, `linspace` and `eye`, whose sizes are numbers among their arguments."""
        known = [self._inference.infer(arg, env) for arg in args]
        dtype: object = self._dtype(keywords["dtype"], env) if "dtype" in keywords else DEFAULT_FLOAT
        if name == "arange" and "dtype" not in keywords:
            whole = all(isinstance(k, Number) and not k.floating and k.size is not None for k in known)
            dtype = "int64" if whole else None
        count = known[{"arange": 0, "linspace": 2, "eye": 0}[name] :][:1]
        size = count[0].size if count and isinstance(count[0], Number) else None
        shape = (
            None if size is None or (len(args) > 1 and name != "linspace") else sized((size,) * (1 + (name == "eye")))
        )
        return Tensor(dtype, shape, self._inference.fresh())

    def _literal(self, value: Signature, keywords: dict[str, cst.BaseExpression], env: Environment) -> Signature:
        sizes = _nested(value)
        if sizes is None:
            named = self._dtype(keywords["dtype"], env) if "dtype" in keywords else None
            return UNKNOWN if named is None else Tensor(named, None, self._inference.fresh())
        found = [_literal_dtype(leaf) for leaf in leaves(value)]
        dtype: object = DEFAULT_FLOAT if DEFAULT_FLOAT in found else found[0] if len({*found}) == 1 else None
        if "dtype" in keywords:
            dtype = self._dtype(keywords["dtype"], env)
        return Tensor(dtype, sized(sizes), self._inference.fresh())

    def _cat(self, name: str, first: Signature, node: cst.Call, env: Environment) -> Signature:
        if not isinstance(first, Items) or not all(isinstance(i, Tensor) for i in first.items):
            return UNKNOWN
        tensors = [i for i in first.items if isinstance(i, Tensor)]
        dtypes = {t.dtype for t in tensors}
        shapes = tuple([t.shape for t in tensors])
        rest = ", ".join(
            [self._inference.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in node.args[1:]]
        )
        if None in shapes or len(dtypes) != 1 or not self._inference.stable(node.args[1:], env):
            return Tensor(None, None, self._inference.fresh())
        counted = self._inference.examples.cat(name, tensors, node.args[1:], env)
        return Tensor(dtypes.pop(), counted or (name, shapes, rest), self._inference.fresh())


def _nested(value: Signature) -> tuple[int, ...] | None:
    """The sizes of the tensor that lists of numbers (or of tensors without dimensions) make; None of anything else."""
    if isinstance(value, Number):
        return () if value.code else None
    if isinstance(value, Tensor):
        return () if value.shape == SCALAR else None
    if not isinstance(value, Items) or value.kind not in ("list", "tuple") or not value.items:
        return None
    inner = {_nested(item) for item in value.items}
    sizes = inner.pop() if len(inner) == 1 else None
    return None if sizes is None else (len(value.items), *sizes)


def _literal_dtype(value: Signature) -> Hashable:
    if isinstance(value, Tensor):
        return value.dtype
    if not isinstance(value, Number):
        return None
    return "bool" if value.code in ("True", "False") else DEFAULT_FLOAT if value.floating else "int64"


def _numbers(nodes: list[cst.BaseExpression]) -> tuple[int, ...] | None:
    """The sizes where all of them are written as numbers."""
    if len(nodes) == 1 and isinstance(only := nodes[0], (cst.Tuple, cst.List)):
        nodes = [e.value for e in only.elements]
    if not nodes or not all(isinstance(n, cst.Integer) for n in nodes):
        return None
    return tuple([int(n.value) for n in nodes if isinstance(n, cst.Integer)])


def spelled_dtype(name: str) -> str | None:
    """The dtype that `torch.<name>` is; None if it is none."""
    spelled = {"long": "int64", "int": "int32", "half": "float16", "double": "float64", "float": "float32"}
    known = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
    name = spelled.get(name, name)
    return name if name in known else None
