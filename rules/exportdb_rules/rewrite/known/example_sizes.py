"""Shapes in numbers, for the example inputs that the text gives: what calls, subscripts and modules make of them.

Sizes that are not known in numbers stay what the rest of the inference says of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.rewrite.known import size_rules as rules
from exportdb_rules.rewrite.known.signature import INTEGERS, Items, Number, Signature, Tensor, numeric, sized
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from exportdb_rules.rewrite.known.inference import Environment, Inference
    from exportdb_rules.rewrite.known.size_rules import Sizes

_ORDERS: Final = frozenset(("sort", "topk", "cummax", "cummin", *rules.INDEXED))
_PARTS: Final = frozenset(("chunk", "split", "unbind", "tensor_split"))


class ExampleSizes:
    """What the sizes of one function's tensors are, where its example inputs decide them."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference

    # --- numbers --------------------------------------------------------------------------------------------------

    def number(self, node: cst.BaseExpression, env: Environment) -> int | None:
        """The value of a whole number; None where it is not known."""
        known = self._inference.infer(node, env)
        return known.size if isinstance(known, Number) else None

    def numbers(self, node: cst.BaseExpression, env: Environment) -> int | Sizes | None:
        """A whole number, or several; None where one is not known."""
        known = self._inference.infer(node, env)
        if isinstance(known, Number):
            return known.size
        return _all(known)

    def written(self, args: Sequence[cst.BaseExpression], env: Environment) -> Sizes | None:
        """Sizes as `zeros` takes them: one after the other, or as one tuple."""
        if len(args) == 1:
            known = self.numbers(args[0], env)
            return (known,) if isinstance(known, int) else known
        found = [self.number(arg, env) for arg in args]
        return None if None in found else tuple([n for n in found if n is not None])

    # --- calls ----------------------------------------------------------------------------------------------------

    def shape(self, name: str, first: Tensor, rest: Sequence[cst.Arg], env: Environment) -> object:
        """The shape that an operator gives for a tensor and its other arguments; None where it is not known."""
        sizes = numeric(first.shape)
        if sizes is None or any(arg.star for arg in rest):
            return None
        positional = [arg.value for arg in rest if arg.keyword is None]
        keywords = {arg.keyword.value: arg.value for arg in rest if arg.keyword is not None}
        found = self._sizes(name, sizes, positional, keywords, env)
        return None if found is None else sized(found)

    def _sizes(
        self,
        name: str,
        sizes: Sizes,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Sizes | None:
        if name in rules.REDUCING:
            return self._reduced(name, sizes, args, keywords, env)
        rearranged = self._rearranged(name, sizes, args, keywords, env)
        if rearranged is not None:
            return rearranged
        other = self._tensor(args[0], env) if args else None
        dim = self._setting(keywords, "dim", args, 0, env)
        if name in ("matmul", "mm", "bmm", "mv", "dot") and other is not None:
            return rules.multiplied(sizes, other)
        if name == "linear" and other is not None and len(other) == 2 and sizes:
            return (*sizes[:-1], other[0])
        if name == "gather" and len(args) > 1:
            return self._tensor(args[1], env)
        if name == "index_select" and len(args) > 1 and isinstance(dim, int):
            rows = self._tensor(args[1], env)
            return None if rows is None else rules.resized(sizes, dim, (*rows, 1)[0])
        if name == "embedding" and other is not None and len(other) == 2:
            return (*sizes, other[1])
        if name == "one_hot":
            classes = self._setting(keywords, "num_classes", args, 0, env)
            return (*sizes, classes) if isinstance(classes, int) and classes > 0 else None
        if name == "pad" and args:
            pads = self.numbers(args[0], env)
            return rules.padded(sizes, pads) if isinstance(pads, tuple) else None
        if name == "outer" and other is not None:
            return (*sizes, *other) if len(sizes) == len(other) == 1 else None
        if name == "cdist" and other is not None and len(sizes) > 1 < len(other):
            return (*sizes[:-1], other[-2])
        if name == "scaled_dot_product_attention" and len(args) > 1:
            value = self._tensor(args[1], env)
            return None if value is None else (*sizes[:-1], value[-1])
        if name == "diff" and not args and not keywords and sizes:
            return (*sizes[:-1], max(0, sizes[-1] - 1))
        return None

    def _rearranged(
        self,
        name: str,
        sizes: Sizes,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Sizes | None:
        """The sizes of a view, or of a tensor laid out anew."""
        if name in ("view_as", "reshape_as", "expand_as") and args:
            return self._tensor(args[0], env)
        if name in ("t", "adjoint") and not args:
            return rules.swapped(sizes, -2, -1) if len(sizes) > 1 else sizes
        if name in ("ravel",):
            return rules.flattened(sizes) if sizes else (1,)
        numbers = [self.number(arg, env) for arg in args]
        named = self._setting(keywords, "dim", args, 0, env)
        whole = {"view": rules.viewed, "reshape": rules.viewed, "expand": rules.expanded, "broadcast_to": rules.expanded,
                 "repeat": rules.repeated, "permute": rules.permuted}  # fmt: skip
        if name in whole and not keywords:
            wanted = self.written(args, env)
            return None if wanted is None else whole[name](sizes, wanted)
        if name == "squeeze":
            return rules.squeezed(sizes, named) if isinstance(named, int) or not (args or keywords) else None
        if name == "unsqueeze":
            return rules.unsqueezed(sizes, named) if isinstance(named, int) else None
        if name == "flatten":
            start = self._setting(keywords, "start_dim", args, 0, env, 0)
            end = self._setting(keywords, "end_dim", args, 1, env, -1)
            return rules.flattened(sizes, start, end) if isinstance(start, int) and isinstance(end, int) else None
        two = [n for n in numbers if n is not None]
        if name in ("transpose", "swapaxes", "swapdims") and len(two) == len(args) == 2:
            return rules.swapped(sizes, two[0], two[1])
        if name == "select" and len(args) == 2 and isinstance(named, int):
            return rules.reduced(sizes, named, keep=False)
        if name == "narrow" and len(args) == 3 and isinstance(named, int) and numbers[2] is not None:
            return rules.resized(sizes, named, numbers[2])
        return None

    def _reduced(
        self,
        name: str,
        sizes: Sizes,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Sizes | None:
        if name == "norm" and args:
            args = args[1:]
        given = keywords.get("dim", keywords.get("axis", args[0] if args else None))
        kept = keywords.get("keepdim", args[1] if len(args) > 1 and name not in ("std", "var") else None)
        if kept is not None and dotted(kept) not in ("True", "False"):
            return None
        dims = None
        if given is not None and dotted(given) != "None":
            dims = self.numbers(given, env)
            if dims is None:
                return None
        return rules.reduced(sizes, dims, kept is not None and dotted(kept) == "True")

    def several(self, name: str, first: Tensor, rest: Sequence[cst.Arg], env: Environment) -> Items | None:
        """What an operator with several results gives; None where it is none, or nothing is known."""
        if name not in _ORDERS | _PARTS or any(arg.star for arg in rest):
            return None
        positional = [arg.value for arg in rest if arg.keyword is None]
        keywords = {arg.keyword.value: arg.value for arg in rest if arg.keyword is not None}
        return (
            self._parts(name, first, positional, keywords, env)
            if name in _PARTS
            else self._ordered(name, first, positional, keywords, env)
        )

    def _ordered(
        self,
        name: str,
        first: Tensor,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Items | None:
        """Values and indices, in storages of their own."""
        sizes = numeric(first.shape)
        found: Sizes | None = None
        if name in rules.INDEXED and sizes is not None:
            if name in ("max", "min") and args and isinstance(self._inference.infer(args[0], env), Tensor):
                return None
            if name == "kthvalue":
                args = args[1:]
            if not args and "dim" not in keywords:
                return None
            found = self._reduced("max", sizes, args, keywords, env)
        elif name == "topk" and sizes is not None:
            count = self._setting(keywords, "k", args, 0, env)
            dim = self._setting(keywords, "dim", args, 1, env, -1)
            found = rules.resized(sizes, dim, count) if isinstance(count, int) and isinstance(dim, int) else None
        elif sizes is not None:
            found = sizes
        if found is None:
            return None
        values = Tensor(first.dtype, sized(found), self._inference.fresh())
        return Items(f"torch.return_types.{name}", (values, Tensor("int64", sized(found), self._inference.fresh())))

    def _parts(
        self,
        name: str,
        first: Tensor,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        env: Environment,
    ) -> Items | None:
        """The parts of one tensor, which share its storage."""
        sizes = numeric(first.shape)
        at = 0 if name == "unbind" else 1
        dim = self._setting(keywords, "dim", args, at, env, 0)
        index = rules.along(sizes, dim) if sizes is not None and isinstance(dim, int) else None
        if sizes is None or index is None:
            return None
        length = sizes[index]
        how = None if name == "unbind" or not args else self.numbers(args[0], env)
        if name == "unbind":
            parts = [rules.reduced(sizes, index, keep=False)] * length
        elif isinstance(how, int) and how > 0 and name != "tensor_split":
            step = how if name == "split" else -(-length // how)
            parts = [rules.resized(sizes, index, min(step, length - n)) for n in range(0, length, max(1, step))]
        elif isinstance(how, tuple) and name == "split":
            parts = [rules.resized(sizes, index, n) for n in how]
        else:
            return None
        if len(parts) > 64:
            return None
        found = tuple([Tensor(first.dtype, sized(p), first.roots, True) for p in parts if p is not None])
        return Items("tuple", found) if len(found) == len(parts) else None

    def cat(self, name: str, tensors: Sequence[Tensor], rest: Sequence[cst.Arg], env: Environment) -> object:
        """The shape of `cat` and `stack`; None where it is not known."""
        sizes = [numeric(t.shape) for t in tensors]
        known = [s for s in sizes if s is not None]
        if len(known) != len(sizes) or not known or name not in ("cat", "concat", "stack"):
            return None
        keywords = {arg.keyword.value: arg.value for arg in rest if arg.keyword is not None}
        dim = self._setting(keywords, "dim", [a.value for a in rest if a.keyword is None], 0, env, 0)
        if not isinstance(dim, int):
            return None
        if name == "stack":
            parts = [rules.unsqueezed(s, dim) for s in known]
            known = [p for p in parts if p is not None]
            if len(known) != len(parts):
                return None
            dim = dim + len(known[0]) if dim < 0 else dim
        found = rules.joined(known, dim)
        return None if found is None else sized(found)

    # --- subscripts ------------------------------------------------------------------------------------------------

    def subscript(self, node: cst.Subscript, base: Tensor, env: Environment) -> object:
        """The shape of `t[…]`; None where it is not known."""
        sizes = numeric(base.shape)
        if sizes is None:
            return None
        index = [element.slice for element in node.slice]
        named = sum(not _adds(i) and not _rest(i) for i in index)
        done: list[int] = []
        picked: list[tuple[int, Sizes]] = []
        at = 0
        for element in index:
            if _adds(element):
                done.append(1)
            elif _rest(element):
                count = len(sizes) - named
                done += sizes[at : at + count]
                at += count
            elif at >= len(sizes):
                return None
            elif isinstance(element, cst.Slice):
                taken = self._slice(element, sizes[at], env)
                if taken is None:
                    return None
                done.append(taken)
                at += 1
            else:
                known = self._inference.infer(element.value, env) if isinstance(element, cst.Index) else None
                if isinstance(known, Tensor) and known.dtype in INTEGERS and numeric(known.shape) is not None:
                    picked.append((len(done), numeric(known.shape) or ()))
                elif not isinstance(known, Number):
                    return None
                at += 1
        if picked:
            places = {place for place, _ in picked}
            rows: Sizes | None = ()
            for _, one in picked:
                rows = None if rows is None else rules.broadcast(rows, one)
            if rows is None or (len(places) > 1 and any(rows for _ in picked)):
                return None
            place = picked[0][0]
            done = [*done[:place], *rows, *done[place:]]
        return sized((*done, *sizes[at:]))

    def _slice(self, node: cst.Slice, size: int, env: Environment) -> int | None:
        ends: list[int | None] = []
        for end in (node.lower, node.upper, node.step):
            value = None if end is None else self.number(end, env)
            if end is not None and value is None and dotted(end) != "None":
                return None
            ends.append(value)
        return rules.sliced(size, *ends) if ends[2] is None or ends[2] > 0 else None

    # --- shared -----------------------------------------------------------------------------------------------------

    def _tensor(self, node: cst.BaseExpression, env: Environment) -> Sizes | None:
        known = self._inference.infer(node, env)
        return numeric(known.shape) if isinstance(known, Tensor) else None

    def _setting(
        self,
        keywords: dict[str, cst.BaseExpression],
        name: str,
        args: Sequence[cst.BaseExpression],
        at: int,
        env: Environment,
        default: int | None = None,
    ) -> int | None:
        node = keywords.get(name, args[at] if len(args) > at else None)
        return default if node is None else self.number(node, env)


def product_shape(a: Hashable, b: Hashable) -> Hashable:
    """The shape of a matrix product."""
    one, two = numeric(a), numeric(b)
    found = None if one is None or two is None else rules.multiplied(one, two)
    return ("matmul", a, b) if found is None else sized(found)


def settings(call: cst.Call, kind: str, evaluate: Callable[[cst.BaseExpression], object]) -> dict[str, object] | None:
    """The arguments of a torch.nn module's constructor, by name; None where they are not known."""
    order = rules.settings_of(kind)
    if order is None or any(arg.star for arg in call.args):
        return None
    found: dict[str, object] = {}
    for position, arg in enumerate(call.args):
        if arg.keyword is not None:
            found[arg.keyword.value] = evaluate(arg.value)
        elif position < len(order):
            found[order[position]] = evaluate(arg.value)
    return found


def _all(known: Signature) -> Sizes | None:
    if not isinstance(known, Items):
        return None
    found = [item.size for item in known.items if isinstance(item, Number) and item.size is not None]
    return tuple(found) if len(found) == len(known.items) else None


def _adds(node: cst.BaseSlice) -> bool:
    return isinstance(node, cst.Index) and dotted(node.value) == "None"


def _rest(node: cst.BaseSlice) -> bool:
    return isinstance(node, cst.Index) and isinstance(node.value, cst.Ellipsis)
