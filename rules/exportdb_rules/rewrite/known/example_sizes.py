"""Shapes in numbers, for the example inputs that the text gives: what calls, subscripts and modules make of them.

Sizes that are not known in numbers stay what the rest of the inference says of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.known import size_rules as rules
from exportdb_rules.rewrite.known.signature import (
    INTEGERS,
    UNDECIDED,
    Items,
    Number,
    Signature,
    TensorSignature,
    counted,
    sized,
    undecided,
)
from exportdb_rules.rewrite.tree import CallArguments, arguments, dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from exportdb_rules.rewrite.known.inference import Environment, Inference
    from exportdb_rules.rewrite.known.size_rules import Sizes

_ORDERS: Final = frozenset(("sort", "topk", "cummax", "cummin", *rules.INDEXED))
_PARTS: Final = frozenset(("chunk", "split", "unbind"))


@dataclass(frozen=True, eq=False)
class _Call:
    """A call of an operator of a tensor: the sizes of that, and the other arguments."""

    name: str
    first: TensorSignature
    sizes: Sizes
    given: CallArguments
    env: Environment

    @property
    def bare(self) -> bool:
        """Whether there are no other arguments."""
        return not (self.given.positional or self.given.named)


def _call(name: str, first: TensorSignature, rest: Sequence[cst.Arg], env: Environment) -> _Call | None:
    sizes = counted(first.shape)
    starred = any(arg.star for arg in rest)
    return None if sizes is None or starred else _Call(name, first, sizes, arguments(rest), env)


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

    def shape(self, name: str, first: TensorSignature, rest: Sequence[cst.Arg], env: Environment) -> object:
        """The shape that an operator gives for a tensor and its other arguments; None where it is not known."""
        call = _call(name, first, rest, env)
        found = None if call is None else self._sizes(call)
        return None if found is None else sized(found)

    def _sizes(self, call: _Call) -> Sizes | None:
        if operator(call.name).shape == "reduced":
            return self._reduced(call)
        rearranged = self._rearranged(call)
        if rearranged is not None:
            return rearranged
        name, sizes, args, env = call.name, call.sizes, call.given.positional, call.env
        other = self._tensor(args[0], env) if args else None
        dim = self._setting(call, "dim", 0)
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
            classes = self._setting(call, "num_classes", 0)
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
        if name == "diff" and call.bare and sizes:
            return (*sizes[:-1], max(0, sizes[-1] - 1))
        return None

    def _rearranged(self, call: _Call) -> Sizes | None:
        """The sizes of a view, or of a tensor laid out anew."""
        name, sizes, args, env = call.name, call.sizes, call.given.positional, call.env
        if name in ("view_as", "reshape_as", "expand_as") and args:
            return self._tensor(args[0], env)
        if name in ("t", "adjoint") and not args:
            return rules.swapped(sizes, -2, -1) if len(sizes) > 1 else sizes
        if name == "ravel":
            return rules.flattened(sizes) if sizes else (1,)
        numbers = [self.number(arg, env) for arg in args]
        named = self._setting(call, "dim", 0)
        whole = {"view": rules.viewed, "reshape": rules.viewed, "expand": rules.expanded, "broadcast_to": rules.expanded,
                 "repeat": rules.repeated, "permute": rules.permuted}  # fmt: skip
        if name in whole and not call.given.named:
            wanted = self.written(args, env)
            return None if wanted is None else whole[name](sizes, wanted)
        if name == "squeeze":
            return rules.squeezed(sizes, named) if isinstance(named, int) or call.bare else None
        if name == "unsqueeze":
            return rules.unsqueezed(sizes, named) if isinstance(named, int) else None
        if name == "flatten":
            start = self._setting(call, "start_dim", 0, 0)
            end = self._setting(call, "end_dim", 1, -1)
            return rules.flattened(sizes, start, end) if isinstance(start, int) and isinstance(end, int) else None
        two = [n for n in numbers if n is not None]
        if name in ("transpose", "swapaxes", "swapdims") and len(two) == len(args) == 2:
            return rules.swapped(sizes, two[0], two[1])
        if name == "select" and len(args) == 2 and isinstance(named, int):
            return rules.reduced(sizes, named, keep=False)
        if name == "narrow" and len(args) == 3 and isinstance(named, int) and numbers[2] is not None:
            return rules.resized(sizes, named, numbers[2])
        return None

    def _reduced(self, call: _Call) -> Sizes | None:
        # The first argument of some is a number, and the dimensions come behind it.
        at = 1 if call.name in ("norm", "kthvalue") and call.given.positional else 0
        given = call.given.get(at, "dim", "axis")
        kept = call.given.named.get("keepdim") if call.name in ("std", "var") else call.given.get(at + 1, "keepdim")
        if kept is not None and dotted(kept) not in ("True", "False"):
            return None
        dims = None
        if given is not None and dotted(given) != "None":
            dims = self.numbers(given, call.env)
            if dims is None:
                return None
        return rules.reduced(call.sizes, dims, kept is not None and dotted(kept) == "True")

    def several(self, name: str, first: TensorSignature, rest: Sequence[cst.Arg], env: Environment) -> Items | None:
        """What an operator with several results gives; None where it is none, or nothing is known."""
        call = _call(name, first, rest, env) if name in _ORDERS | _PARTS else None
        if call is None:
            return None
        return self._parts(call) if name in _PARTS else self._ordered(call)

    def _ordered(self, call: _Call) -> Items | None:
        """Values and indices, in storages of their own."""
        name, args = call.name, call.given.positional
        found: Sizes | None = call.sizes
        if name in rules.INDEXED:
            if (
                name in ("max", "min")
                and args
                and isinstance(self._inference.infer(args[0], call.env), TensorSignature)
            ):
                return None
            if call.given.get(1 if name == "kthvalue" else 0, "dim") is None:
                return None
            found = self._reduced(call)
        elif name == "topk":
            count, dim = self._setting(call, "k", 0), self._setting(call, "dim", 1, -1)
            found = rules.resized(call.sizes, dim, count) if isinstance(count, int) and isinstance(dim, int) else None
        if found is None:
            return None
        values = TensorSignature(call.first.dtype, sized(found), self._inference.fresh())
        return Items(
            f"torch.return_types.{name}", (values, TensorSignature("int64", sized(found), self._inference.fresh()))
        )

    def _parts(self, call: _Call) -> Items | None:
        """The parts of one tensor, which share its storage."""
        name, first, sizes, args = call.name, call.first, call.sizes, call.given.positional
        dim = self._setting(call, "dim", 0 if name == "unbind" else 1, 0)
        index = rules.along(sizes, dim) if isinstance(dim, int) else None
        if index is None:
            return None
        length = sizes[index]
        if length >= UNDECIDED:
            return None
        how = None if name == "unbind" or not args else self.numbers(args[0], call.env)
        if name == "unbind":
            parts = [rules.reduced(sizes, index, keep=False)] * length
        elif isinstance(how, int) and how > 0:
            step = how if name == "split" else -(-length // how)
            parts = [rules.resized(sizes, index, min(step, length - n)) for n in range(0, length, max(1, step))]
        elif isinstance(how, tuple) and name == "split":
            parts = [rules.resized(sizes, index, n) for n in how]
        else:
            return None
        if len(parts) > 64:
            return None
        found = tuple([TensorSignature(first.dtype, sized(p), first.storages, True) for p in parts if p is not None])
        return Items("tuple", found) if len(found) == len(parts) else None

    def piece(self, node: cst.BaseExpression, env: Environment) -> TensorSignature | None:
        """Any of the parts of `x.split(sizes)` and `torch.split(x, sizes)`, whose sizes only data decides."""
        if (
            not isinstance(node, cst.Call)
            or not isinstance(node.func, cst.Attribute)
            or node.func.attr.value != "split"
        ):
            return None
        plain = dotted(node.func) == "torch.split"
        if not node.args or node.args[0].keyword is not None:
            return None
        first = self._inference.infer(node.args[0].value if plain else node.func.value, env)
        call = _call("split", first, node.args[plain:], env) if isinstance(first, TensorSignature) else None
        dim = None if call is None else self._setting(call, "dim", 1, 0)
        found = None if call is None or dim is None else rules.resized(call.sizes, dim, undecided(f"part {id(node)}"))
        return (
            TensorSignature(first.dtype, sized(found), first.storages, True)
            if found and isinstance(first, TensorSignature)
            else None
        )

    def cat(self, name: str, tensors: Sequence[TensorSignature], rest: Sequence[cst.Arg], env: Environment) -> object:
        """The shape of `cat` and `stack`; None where it is not known."""
        sizes = [counted(t.shape) for t in tensors]
        known = [s for s in sizes if s is not None]
        if len(known) != len(sizes) or not known or name not in ("cat", "concat", "stack"):
            return None
        given = arguments(rest).get(0, "dim")
        dim = 0 if given is None else self.number(given, env)
        if dim is None:
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

    def subscript(self, node: cst.Subscript, base: TensorSignature, env: Environment) -> object:
        """The shape of `t[…]`; None where it is not known."""
        sizes = counted(base.shape)
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
                if isinstance(known, TensorSignature) and known.dtype in INTEGERS and counted(known.shape) is not None:
                    picked.append((len(done), counted(known.shape) or ()))
                elif not isinstance(known, Number):
                    return None
                at += 1
        if picked:
            places = {place for place, _ in picked}
            rows: Sizes | None = ()
            for _, one in picked:
                rows = None if rows is None else rules.broadcast(rows, one)
            if rows is None or (len(places) > 1 and rows):
                return None
            place = picked[0][0]
            done = [*done[:place], *rows, *done[place:]]
        return sized((*done, *sizes[at:]))

    def _slice(self, node: cst.Slice, size: int, env: Environment) -> int | None:
        if size >= UNDECIDED and (node.lower is not None or node.upper is not None or node.step is not None):
            return None
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
        return counted(known.shape) if isinstance(known, TensorSignature) else None

    def _setting(self, call: _Call, name: str, index: int, default: int | None = None) -> int | None:
        """The whole number that an argument is; None where it is not known."""
        node = call.given.get(index, name)
        return default if node is None else self.number(node, call.env)


def product_shape(a: Hashable, b: Hashable) -> Hashable:
    """The shape of a matrix product."""
    one, two = counted(a), counted(b)
    found = None if one is None or two is None else rules.multiplied(one, two)
    if found is not None:
        return sized(found)
    return None if None in (a, b) else ("matmul", a, b)


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
