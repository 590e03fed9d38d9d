"""Signatures of calls of torch's functions and of the methods of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite import operators as ops
from exportdb_rules.rewrite.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    UNKNOWN,
    Items,
    Number,
    Reduced,
    Signature,
    Tensor,
    floating,
    normal,
)
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from exportdb_rules.rewrite.inference import Environment, Inference


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
        keywords = {a.keyword.value: a.value for a in args if a.keyword is not None}
        if "out" in keywords:
            return UNKNOWN
        if name in ops.NEW:
            return self._new(args, keywords, env)
        if receiver is not None and name.removeprefix("new_") in ops.NEW:
            made = self._new(args[1:2], keywords, env)
            kept = isinstance(made, Tensor) and "dtype" not in keywords
            return Tensor(receiver.dtype, made.shape, made.roots) if kept and isinstance(made, Tensor) else made
        positional = [a.value for a in args if a.keyword is None]
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
        if name in ("tensor", "as_tensor", "scalar_tensor"):
            return self._literal(first, keywords)
        if not isinstance(first, Tensor):
            return UNKNOWN
        if inplace and receiver is not None:
            return first
        if name == "item":
            return Number(floating=floating(first.dtype))
        if name in ("size", "numel", "dim", "stride", "storage_offset"):
            return Number() if name != "size" or len(args) > 1 else UNKNOWN
        return self._elementwise(plain, first, positional[1:], keywords, env) or self._other(
            plain, first, node, args, env
        )

    def _elementwise(
        self,
        name: str,
        first: Tensor,
        rest: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Tensor | None:
        dtype: object = normal(self._dtype(keywords["dtype"])) if "dtype" in keywords else None
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
        if name in ops.CASTS:
            roots = (
                first.roots
                if normal(ops.CASTS[name]) == first.dtype or first.dtype == DEFAULT_FLOAT
                else self._inference.fresh()
            )
            return Tensor(ops.CASTS[name], first.shape, roots, first.permuted)
        if name in ops.PASSING:
            return self._passing(name, first, rest)
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

    def _passing(self, name: str, first: Tensor, rest: list[cst.Arg]) -> Signature:
        if name == "to":
            dtype: object = first.dtype
            for arg in rest:
                named = self._dtype(arg.value)
                if named is not None:
                    dtype = normal(named)
                elif arg.keyword is not None and arg.keyword.value == "dtype":
                    dtype = None
                elif not self._inference.tree.code(arg.value).endswith(
                    ("device", "'cpu'", '"cpu"', "'cuda'", '"cuda"')
                ):
                    dtype = None if arg.keyword is None else dtype
            return Tensor(dtype, first.shape, first.roots, first.permuted)
        if name in ("type_as", "type"):
            return Tensor(None, first.shape, first.roots, first.permuted)
        return Tensor(first.dtype, first.shape, first.roots, first.permuted and name != "contiguous")

    def _dtype(self, node: cst.BaseExpression) -> str | None:
        code = dotted(node)
        if not code.startswith("torch."):
            return None
        name = code.removeprefix("torch.")
        spelled = {"long": "int64", "int": "int32", "half": "float16", "double": "float64", "float": "float32"}
        name = spelled.get(name, name)
        known = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
        return name if name in known else None

    def _new(self, args: list[cst.Arg], keywords: dict[str, cst.BaseExpression], env: Environment) -> Signature:
        sizes = [a for a in args if a.keyword is None]
        code = ", ".join([self._inference.tree.code(a.value) for a in sizes])
        dtype: object = normal(self._dtype(keywords["dtype"])) if "dtype" in keywords else DEFAULT_FLOAT
        shape = ("new", code) if self._inference.stable(sizes, env) else None
        numbers = _numbers([a.value for a in sizes])
        if numbers is not None:
            shape = ("sizes", numbers)
        if code in ("()", "[]"):
            shape = SCALAR
        return Tensor(dtype, shape, self._inference.fresh())

    def _literal(self, value: Signature, keywords: dict[str, cst.BaseExpression]) -> Signature:
        if not isinstance(value, Number) or not value.code:
            return UNKNOWN
        dtype: object = DEFAULT_FLOAT if value.floating else "int64"
        if value.code in ("True", "False"):
            dtype = "bool"
        if "dtype" in keywords:
            dtype = normal(self._dtype(keywords["dtype"]))
        return Tensor(dtype, SCALAR, self._inference.fresh())

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
        return Tensor(dtypes.pop(), (name, shapes, rest), self._inference.fresh())


def _numbers(nodes: list[cst.BaseExpression]) -> tuple[int, ...] | None:
    """The sizes where all of them are written as numbers."""
    if len(nodes) == 1 and isinstance(only := nodes[0], (cst.Tuple, cst.List)):
        nodes = [e.value for e in only.elements]
    if not nodes or not all(isinstance(n, cst.Integer) for n in nodes):
        return None
    return tuple([int(n.value) for n in nodes if isinstance(n, cst.Integer)])
