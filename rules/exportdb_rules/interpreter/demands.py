"""What operators demand of the sizes that they are given, and the sizes of what they make of them.

An operator that needs two sizes to be equal compares them while export traces; where they are not the same term, export adds
a guard, which a dimension that was declared may not fulfil (torch docs, "Dynamic shapes", "Constraints violated"). Sizes
that nothing is known of demand nothing.
"""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from exportdb_rules.facts import Converted, NumpyAsked, SizeNarrowed
from exportdb_rules.interpreter import signatures, windows
from exportdb_rules.interpreter.dimensions import Dims, dots_in, given, is_rest, number_of, of_term, term_of
from exportdb_rules.interpreter.guards import (
    aligned,
    at_bound,
    equal,
    laid_out,
    may_be_empty,
    no_larger,
    no_more,
    no_smaller,
    taken_at,
)
from exportdb_rules.interpreter.machine import evaluate
from exportdb_rules.interpreter.shape_rules import RULES, OperatorCall, by_factor
from exportdb_rules.interpreter.views import check_merged, check_rows, check_view
from exportdb_rules.lattice import Sequence, choices, is_none, is_true
from exportdb_rules.operator_table import dtype_name
from exportdb_rules.slice_guards import SliceGuard
from exportdb_rules.terms import LEAST, Term, product
from exportdb_rules.values import NUMPY, STATIC_INT, TOP, Const, Shape, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Hashable

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.interpreter.windows import Taken

_Dim = TypeVar("_Dim")
_JOINING: Final = frozenset({"cat", "concat", "concatenate"})
# They join tensors along this dimension.
_STACKING: Final = {"vstack": 0, "row_stack": 0, "hstack": 1, "column_stack": 1, "dstack": 2}
# What makes one tensor of several.
TOGETHER: Final = _JOINING | _STACKING.keys() | {"stack"}
_PRODUCTS: Final = frozenset({"matmul", "bmm", "mm"})
# Operators that leave every size as it is.
_KEEPING: Final = frozenset("triu tril flip roll sort argsort cummax cummin flipud fliplr".split())
# They take the part of a tensor that stands at the place of an index.
_PUTTING: Final = frozenset({"index_add", "index_copy"})
# Operators that compute with sizes as numbers (measured with torch 2.13).
_NUMBERS: Final = frozenset("fill_diagonal_ gradient hash_tensor kron multi_dot resize_as_".split())
_RESHAPES: Final = frozenset({"view", "reshape"})
# Operators that ask in strict export, too, whether a computed size is one.
_ASKING: Final = frozenset("expand eye diff interpolate repeat_interleave".split())
# Operators that are not pointwise, and ask in strict export whether a computed size of what they are given is one (measured with
# torch 2.13, as are those that do not: `cat`, `conv2d`, `bmm`, `sum`, `softmax`, `permute`, `pad`, …).
_ASKING_INPUTS: Final = frozenset(
    """
    abs_ adaptive_avg_pool1d addmm alpha_dropout argsort avg_pool1d batch_norm clone conv1d conv_transpose1d cosine_similarity cumsum
    dropout dropout1d dropout2d dropout3d einsum expand feature_alpha_dropout flatten flip fliplr flipud full_like glu group_norm
    hardswish huber_loss instance_norm isin l1_loss layer_norm local_response_norm log_softmax logsumexp max_pool1d mse_loss norm
    normalize ones_like pairwise_distance repeat_interleave reshape scaled_dot_product_attention smooth_l1_loss sort stack tril triu
    unflatten unsqueeze view zeros_like
    """.split()
)
# Operators that do not where they write into their input, without another tensor.
_QUIET_IN_PLACE: Final = frozenset(("add_", "sub_", "mul_", "div_", "relu_"))
# Operators that ask so of tensors with more than two dimensions, or where they add a bias.
_ASKING_OF_ROWS: Final = frozenset(("linear", "matmul"))
# Operators that ask so of the dimensions along which they work, or of those that they leave, and where they take them.
_ASKING_ALONG: Final = {"roll": 2, "squeeze": 1, "mean": 1}
# Operators that give their input back as it is where it has the dtype already.
_CASTING: Final = frozenset("to type type_as float double half bfloat16 int long bool".split())
# Operators that lay out what they are given anew, whatever its dimensions.
_TRANSFORMING: Final = frozenset("einsum fft rfft".split())
# How many windows there are is asked otherwise.
_WINDOWED: Final = frozenset({"unfold"})
_QUANTILES: Final = frozenset({"quantile", "nanquantile"})
# Of more numbers they compute no quantile.
_MOST_SORTED: Final = 1 << 24


def broadcast(frame: Frame, node: ast.AST, operation: str, operands: list[Tensor]) -> Dims | None:
    """The sizes of what a pointwise operator makes; None where they are not known one by one."""
    if any(tensor.dims is None for tensor in operands):
        return None
    return aligned(frame, node, operation, [tensor.dims or () for tensor in operands], broadcasts=True)


def multiplied(frame: Frame, node: ast.AST, a: Tensor, b: Tensor) -> Dims | None:
    """The sizes of a product of matrices, or of a matrix and a vector."""
    if b.dims is not None and len(b.dims) == 2:
        rows_merged(frame, node, "matmul", a)
    if not a.dims or not b.dims:
        return None
    if len(a.dims) == 1 or len(b.dims) == 1:
        equal(frame, node, "matmul", a.dims[-1], b.dims[-2 if len(b.dims) > 1 else 0])
        return (*a.dims[:-1], *b.dims[:-2], *b.dims[-1:]) if len(b.dims) > 1 else a.dims[:-1]
    equal(frame, node, "matmul", a.dims[-1], b.dims[-2])
    batches = [tensor.changed(dims=dims) for tensor, dims in ((a, a.dims[:-2]), (b, b.dims[:-2]))]
    batch = broadcast(frame, node, "matmul", batches)
    return None if batch is None else (*batch, a.dims[-2], b.dims[-1])


def rows_merged(frame: Frame, node: ast.AST, operation: str, tensor: Tensor, *, copied: bool = False) -> None:
    """A linear layer, or a product with a matrix: what lies in memory in order is taken as one matrix of all rows; with a bias
    what does not is copied for it."""
    rank = len(tensor.dims or ())
    laid_out(frame, node, operation, tensor, 0, rank - 2)
    if (copied or not tensor.moves) and tensor.dims is not None:
        check_merged(frame, node, operation, tensor.dims[:-1])


def operator(
    frame: Frame, node: ast.AST, short: str, args: list[Value], keywords: dict[str, Value], inputs: list[Tensor]
) -> Dims | None:
    """The sizes of what an operator makes, where they hang on those of several tensors or on numbers; None for others."""
    if short in _JOINING or short in _STACKING:
        return _joined(frame, node, short, args, keywords)
    if short in _PRODUCTS and len(inputs) == 2:
        return multiplied(frame, node, *inputs)
    if short == "interpolate" and inputs:
        return _interpolated(frame, node, inputs[0], arguments(args, keywords, 1))
    if short in windows.FUNCTIONS and inputs:
        return _windowed(frame, node, windows.FUNCTIONS[short], args, keywords, inputs)
    if short in _KEEPING and inputs:
        return inputs[0].dims
    if short == "eye" and args and not inputs:
        return given([args[0], args[1] if len(args) > 1 else args[0]])
    rule = RULES.get(short)
    return None if rule is None else rule(OperatorCall(frame, node, short, args, keywords, inputs))


def compare(
    frame: Frame, node: ast.AST, short: str, args: list[Value], keywords: dict[str, Value], inputs: list[Tensor]
) -> Dims | None:
    """What an operator demands of the sizes of its tensors, as facts; the sizes of its result where its signature has them."""
    known: list[Dims] = [tensor.dims for tensor in inputs if tensor.dims]
    if short.removesuffix("_") in _PUTTING and len(inputs) > 2 and known and inputs[1].dims and inputs[2].dims:
        axis = _axis(inputs[2].dims, args[1] if len(args) > 1 else keywords.get("dim", TOP))
        if axis is not None:
            equal(frame, node, short, inputs[1].dims[0], inputs[2].dims[axis])
    elif short == "tensordot" and len(known) > 1:
        _contracted(frame, node, known[0], known[1], args[2] if len(args) > 2 else keywords.get("dims", Const(2)))
    elif short in _NUMBERS:
        specialized(frame, node, short, [size for dims in known for size in dims])
    elif short == "take_along_dim" and len(known) > 1:
        axis = _axis(known[0], args[2] if len(args) > 2 else keywords.get("dim", TOP))
        if axis is not None:
            specialized(frame, node, short, [*known[0], *known[1][:axis], *known[1][axis + 1 :]])
    elif short == "linear" and inputs:
        rows_merged(frame, node, short, inputs[0], copied=len(inputs) > 2)
    elif short == "flatten" and known:
        taken = arguments(args, keywords, 1)
        start, end = taken(0, "start_dim") or Const(0), taken(1, "end_dim") or Const(-1)
        first, last = _axis(known[0], start), _axis(known[0], end)
        if first is not None and last is not None:
            laid_out(frame, node, short, inputs[0], first, last)
            check_merged(frame, node, short, known[0][first : last + 1])
    elif short in _TRANSFORMING and inputs:
        laid_out(frame, node, short, inputs[0], 0, 0)
    elif short == "unflatten" and known and len(args) > 2:
        _unflattened(frame, node, known[0], args[1], args[2])
    elif short == "stack" and len(known) == len(inputs) and len({len(dims) for dims in known}) == 1:
        for dims in known[1:]:
            for a, b in zip(known[0], dims, strict=True):
                equal(frame, node, short, a, b)
    elif short in _QUANTILES and known:
        axis = _axis(known[0], args[2] if len(args) > 2 else keywords.get("dim", TOP))
        if axis is not None:
            no_more(frame, node, short, known[0][axis], _MOST_SORTED)
    elif short == "diagonal" and known:
        _slanted(frame, node, known[0], args, keywords)
    elif short == "topk" and known:
        count = args[1] if len(args) > 1 else keywords.get("k")
        axis = _axis(known[0], args[2] if len(args) > 2 else keywords.get("dim", Const(-1)))
        low = term_of(count)
        if axis is not None and low is not None and low.value is not None:
            no_smaller(frame, node, short, known[0][axis], low.value)
        elif axis is not None and low is not None and count is not None:
            no_larger(frame, node, short, low, known[0][axis])
            no_smaller(frame, node, short, count, LEAST, needed=0)
    if short not in signatures.SIGNATURES:
        return None
    return signatures.sizes_of(OperatorCall(frame, node, short, args, keywords, inputs))


def specialized(frame: Frame, node: ast.AST, short: str, sizes: list[Value]) -> None:
    """An operator computes with sizes as the numbers that they are in the example."""
    for size in sizes:
        term = term_of(size)
        seen = None if term is None else term.at(frame.run.dynamic.sizes)
        equal(frame, node, short, size, None if seen is None else Static("int", seen))


def _contracted(frame: Frame, node: ast.AST, a: Dims, b: Dims, axes: Value) -> None:
    """`tensordot(a, b, dims)`: the last `dims` sizes of `a` are the first of `b`, or those that two lists name are equal."""
    count = number_of(axes)
    pairs: list[tuple[Value, Value]] = []
    if count is not None:
        pairs = [*zip(a[len(a) - count :], b[:count], strict=False)]
    elif type(axes) is Sequence and axes.items is not None and len(axes.items) == 2:
        named = [side.items for side in axes.items if type(side) is Sequence and side.items is not None]
        places = [[_axis(dims, axis) for axis in side] for dims, side in zip((a, b), named, strict=False)]
        if len(places) < 2:
            return
        pairs = [(a[i], b[j]) for i, j in zip(*places, strict=False) if i is not None and j is not None]
    for one, other in pairs:
        equal(frame, node, "tensordot", one, other)


def _slanted(frame: Frame, node: ast.AST, dims: Dims, args: list[Value], keywords: dict[str, Value]) -> None:
    """`diagonal(offset)`: what lies beside the first diagonal is shorter by so much."""
    offset = number_of(args[1] if len(args) > 1 else keywords.get("offset", Const(0)))
    first, second = (
        _axis(dims, args[at] if len(args) > at else keywords.get(f"dim{at - 1}", Const(at - 2))) for at in (2, 3)
    )
    axis = second if offset is not None and offset > 0 else first
    if offset and axis is not None:
        no_smaller(frame, node, "diagonal", dims[axis], LEAST + abs(offset), needed=0)


def check_computed(frame: Frame, node: ast.AST, short: str, result: Value, inputs: list[Tensor]) -> None:
    """Sizes that were computed (`torch.zeros(n - 1)`): export decides that they are neither 0 nor 1, once for each. Strict export
    leaves that to the operators that ask."""
    if type(result) is not Tensor or short in _WINDOWED:
        return
    known = {term for tensor in inputs for term in map(term_of, tensor.dims or ())}
    for size in result.dims or ():
        if type(size) is Sym and size.term is not None and size.term not in known:
            known.add(size.term)
            may_be_empty(frame, node, size)
            if frame.run.dynamic.sizes:
                no_smaller(frame, node, short, size, LEAST, needed=LEAST if short in _ASKING else 0)


def ask_of_operator(call: OperatorCall, result: Value, *, pointwise: bool) -> None:
    """What an operator decides of the computed sizes that it is given."""
    frame, short, inputs = call.frame, call.name, call.inputs
    first = inputs[0].dims if inputs else None
    if short in _ASKING_ALONG and first:
        along = call.axes(len(first), _ASKING_ALONG[short], "dim", "dims") or range(len(first))
        # What is left of a mean is divided by a number.
        asked = [dim for axis, dim in enumerate(first) if (axis in along) is (short != "mean")]
        decide_computed(frame, [Tensor(dims=tuple(asked))])
        return
    by_numbers = pointwise and (len(inputs) > 1 or short not in ("max", "min"))
    in_place = short == "relu" and is_true(call.given(1, "inplace"))
    if len(inputs) == 1 and (short in _QUIET_IN_PLACE or in_place):
        return
    if short in _CASTING:
        asking = type(result) is Tensor and any(_dtype(result) != _dtype(tensor) for tensor in inputs[:1])
    elif short in _ASKING_OF_ROWS:
        asking = len(inputs) > 2 or any(len(tensor.dims or ()) > 2 for tensor in inputs)
    else:
        # What nobody has made anew may lie in memory in any order.
        asking = by_numbers or short in _ASKING_INPUTS or (short == "contiguous" and any(t.alias for t in inputs))
    if asking:
        decide_computed(frame, inputs, alone=len(call.args) + len(call.keywords) == 1 or not pointwise)


def _dtype(tensor: Tensor) -> Hashable:
    """The dtype of a tensor; for want of evidence that of the default float."""
    return dtype_name(tensor.dtype) or "float32"


def decide_computed(frame: Frame, inputs: list[Tensor], *, alone: bool = False) -> None:
    """An operator asks for the layout of what it is given, and with that whether its sizes are one. Strict export had left open
    of a computed size whether it is, and refuses a declaration that allows it (measured with torch 2.13: pointwise operators
    ask, reductions and `cat` do not).

    Args:
        alone: the operator is given nothing else: of a single dimension it does not ask.
    """
    open_ = frame.run.undecided
    if not open_:
        return
    asked = [tensor for tensor in inputs if not tensor.unbacked and len(tensor.dims or ()) > alone]
    for size in (size for tensor in asked for size in tensor.dims or ()):
        fact = open_.pop(size.term, None) if type(size) is Sym and size.term is not None else None
        if fact is not None:
            frame.emit(replace(fact, demand=replace(fact.demand, strict=True)))


def _unflattened(frame: Frame, node: ast.AST, dims: Dims, axis: Value, sizes: Value) -> None:
    place = _axis(dims, axis)
    if place is not None and type(sizes) is Sequence and sizes.items:
        check_reshape(frame, node, "view", Tensor(dims=(dims[place],)), sizes.items)


def cut(
    frame: Frame, node: ast.AST, before: Dims, after: Dims | None, parts: list[Value], *, contiguous: bool = False
) -> None:
    """A subscript: what it takes has to be there, and what is left has to be no smaller than any dynamic size is. `contiguous`:
    what it is taken of is, as far as is known."""
    pairs = met(before, parts)
    skipped = before[: len(before) - len(pairs)] if dots_in(parts) == 0 else ()
    _cut_by_sizes(frame, node, pairs, contiguous=contiguous, inner=any(number_of(size) != 1 for size in skipped))
    if any(_divided(frame, node, size, part) for size, part in pairs):
        return
    for size in after or ():
        if type(size) is Sym:
            no_smaller(frame, node, "slice", size, LEAST, needed=0)
    outer = False
    for size, part in pairs:
        if type(part) is Const and type(part.value) is int:
            no_smaller(frame, node, "item", size, part.value + 1 if part.value >= 0 else -part.value)
            continue
        # All of a dimension inside of others would be contiguous, what is less is not: export asks which of the two it is.
        cut_at(frame, node, size, part, outer=outer)
        outer = outer or number_of(size) != 1


def _cut_by_sizes(
    frame: Frame, node: ast.AST, pairs: list[tuple[Value, Value]], *, contiguous: bool, inner: bool
) -> None:
    """Slices by dynamic sizes: no named Dim is narrowed by them. `inner`: there are dimensions before these."""
    for size, part in pairs:
        whole = term_of(size)
        bounds = part.items if type(part) is Sequence and part.type == "slice" and part.items else []
        terms = [term_of(bound) for bound in bounds]
        known = all(term is not None or is_none(bound) for term, bound in zip(terms, bounds, strict=True))
        dynamic = any(term is not None and term.dimensions for term in terms[:2])
        if whole is not None and whole.dimensions and len(terms) == 3 and terms[2] is None and known and dynamic:
            guard = SliceGuard(terms[0], terms[1], whole, contiguous and inner, tuple(frame.path))
            value = next((v for v in (size, *bounds) if type(v) is Sym and v.backed), None)
            names = whole.dimensions.union(*[term.dimensions for term in terms if term is not None])
            if value is not None and not any(map(str.isidentifier, names)):
                frame.emit(SizeNarrowed(frame.site(node), value, "", guard))
        inner = inner or number_of(size) != 1


def cut_at(frame: Frame, node: ast.AST, size: Value, part: Value, *, outer: bool = False) -> None:
    """The bounds of a slice of a dimension, each of which export compares with its size; or a dynamic size that it is indexed by.
    `outer`: it lies inside of others."""
    place = term_of(part) if type(part) is Sym else None
    if place is not None:
        taken_at(frame, node, "item", place, size)
        return
    if type(part) is not Sequence or part.type != "slice" or not part.items or len(part.items) != 3:
        return
    start, stop, step = [None if type(bound) is Const and bound.value is None else bound for bound in part.items]
    first, last = number_of(start), number_of(stop)
    taken = step is None and ((start is None and (last or 0) > 0) or (stop is None and (first or 0) < 0))
    for number in sorted({abs(number) for number in (first, last) if number}):
        at_bound(frame, node, size, number, outer=int(taken and outer))
    # What the constructor of a class alone is given has no type, and what is sliced by is an int.
    ints = ("int", "") if frame.run.dynamic.kind == "assumed" else ("int",)
    for bound, other in ((start, stop), (stop, start)):
        # What was padded by as much as is configured is large enough for as much as there was before: `[..., n : n + width]`.
        padded = type(other) is Sym and term_of(size) is None
        if type(bound) is Static and bound.number is None and bound.type in ints and not padded:
            at_bound(frame, node, size, None)


def meet_indices(frame: Frame, node: ast.AST, dims: Dims, parts: list[Value]) -> None:
    """`tensor[a, b]`: tensors of indices are broadcast; a mask has the sizes of what it stands for."""
    tensors = [part for part in parts if type(part) is Tensor and not part.unbacked]
    masks = [tensor for tensor in tensors if tensor.dtype == "bool"]
    if len(tensors) > 1 and not masks:
        broadcast(frame, node, "index", tensors)
    taken = [part for part in parts if not (type(part) is Const and part.value is None)]
    widths = [len(part.dims or ()) if type(part) is Tensor and part.dtype == "bool" else 1 for part in taken]
    dots = dots_in(taken)
    if dots is not None:
        widths[dots] = len(dims) - sum(widths) + 1
    for at, part in enumerate(taken):
        if type(part) is Tensor and part.dtype == "bool" and not part.unbacked:
            begin = sum(widths[:at])
            for size, other in zip(dims[begin : begin + widths[at]], part.dims or (), strict=False):
                equal(frame, node, "index", size, other)


def fit(frame: Frame, node: ast.AST, part: Tensor, value: Value) -> None:
    """`part[…] = value`: what is written is broadcast to the sizes of where it goes. Under tensors of indices, which give no
    view, that is checked when it runs (measured with torch 2.13)."""
    if (
        not part.alias
        or type(value) is not Tensor
        or part.dims is None
        or value.dims is None
        or part.unbacked
        or value.unbacked
    ):
        return
    for size, written in zip(reversed(part.dims), reversed(value.dims), strict=False):
        if number_of(written) != 1:
            equal(frame, node, "copy_", size, written)


def met(dims: tuple[_Dim, ...], parts: list[Value]) -> list[tuple[_Dim, Value]]:
    """Each dimension of a tensor, its size or its index, with the part of a subscript that it meets; `...` stands for all that no other part meets."""
    plain = [part for part in parts if not (type(part) is Const and part.value is None)]
    dots = dots_in(plain)
    if dots is None:
        return [*zip(dims, plain, strict=False)]
    behind = len(plain) - dots - 1
    if dots + behind > len(dims) or any(type(part) is Tensor for part in plain):
        return []
    return [*zip(dims, plain[:dots], strict=False), *zip(dims[len(dims) - behind :], plain[dots + 1 :], strict=True)]


def _divided(frame: Frame, node: ast.AST, size: Value, part: Value) -> bool:
    """Whether a bound of a slice is not proven to be no larger than the size: `x[: n // 2]`."""
    if type(part) is not Sequence or part.type != "slice":
        return False
    terms = [term for term in map(term_of, part.items or ()) if term is not None and term.dimensions]
    return any(no_larger(frame, node, "slice", term, size) for term in terms)


def check_reshape(frame: Frame, node: ast.AST, short: str, tensor: Tensor, sizes: list[Value]) -> None:
    """A view has as many elements as the tensor; what is expanded keeps its sizes but those of one."""
    if short == "expand" and tensor.dims is not None:
        wanted = sizes[0].items or [] if len(sizes) == 1 and type(sizes[0]) is Sequence else sizes
        starred = isinstance(node, ast.Call) and any(isinstance(arg, ast.Starred) for arg in node.args)
        if starred and any(term_of(size) is None for size in wanted):
            return  # how many sizes there are is not known
        for dim, size in zip(reversed(tensor.dims), reversed(wanted), strict=False):
            if number_of(dim) != 1 and not is_rest(size):
                equal(frame, node, short, dim, size)
    if short not in _RESHAPES:
        return
    if len(sizes) == 1 and type(sizes[0]) is Shape:
        shaped = sizes[0].tensor
        if shaped.dims is None and not shaped.fixed:
            return
        sizes = list(shaped.dims or [STATIC_INT])
    elif len(sizes) == 1 and type(sizes[0]) is Sequence:
        listed = sizes[0]
        if listed.items is None and not all(type(choice) in (Const, Static) for choice in choices(listed.any())):
            return
        sizes = listed.items or [STATIC_INT]
    if tensor.dims is None:
        check_rows(frame, node, short, tensor, sizes)
        return
    check_view(frame, node, short, tensor.dims, sizes, tensor if short == "reshape" else None)


def check_numpy_size(frame: Frame, node: ast.AST, sizes: list[Value]) -> None:
    """A number that numpy computes of several others, among the sizes of a view, all of which are given. (That of one is a
    constant to Dynamo: measured with torch 2.13.)"""
    written = list(node.args) if isinstance(node, ast.Call) else []
    if len(sizes) == 1 and type(sizes[0]) is Sequence and written and isinstance(written[0], (ast.Tuple, ast.List)):
        sizes, written = sizes[0].items or [], written[0].elts
    if NUMPY not in sizes or len(written) != len(sizes) or any(map(is_rest, sizes)):
        return
    for size, place in zip(sizes, written, strict=True):
        if size is NUMPY and isinstance(place, ast.Call) and place.args and _several(evaluate(frame, place.args[0])):
            frame.emit(NumpyAsked(frame.site(node), "view"))
            return


def _several(value: Value) -> bool:
    """Whether a list, a tuple or a shape has more elements than one, as far as is known."""
    items = value.items if type(value) is Sequence else value.tensor.dims if type(value) is Shape else ()
    return items is None or len(items) > 1


def _joined(frame: Frame, node: ast.AST, short: str, args: list[Value], keywords: dict[str, Value]) -> Dims | None:
    """`torch.cat` and its kin: all sizes but one are equal."""
    parts = args[0] if args else keywords.get("tensors")
    if type(parts) is Sequence and type(parts.element) is Tensor and isinstance(parts.count, (Sym, Static)):
        return _repeated(short, parts.element, parts.count, args, keywords)
    if type(parts) is not Sequence or not parts.items:
        return None
    every: list[Dims] = []
    for part in parts.items:
        if type(part) is not Tensor or part.dims is None:
            return None
        every.append(_lifted(short, part.dims))
    first = every[0]
    if short in _STACKING:
        axis = min(_STACKING[short], len(first) - 1)
    else:
        axis = _axis(first, args[1] if len(args) > 1 else keywords.get("dim", keywords.get("axis", Const(0))))
    if axis is None or axis < 0 or {len(dims) for dims in every} != {len(first)}:
        return None
    for dims in every[1:]:
        for place, (a, b) in enumerate(zip(first, dims, strict=True)):
            if place != axis:
                equal(frame, node, "cat", a, b)
    total: Term | None = Term()
    for dims in every:
        size = term_of(dims[axis])
        total = None if total is None or size is None else total + size
    symbol = next((dims[axis] for dims in every if type(dims[axis]) is Sym), None)
    sum_: Value = of_term(total, symbol) if symbol is not None or total is not None else STATIC_INT
    return (*first[:axis], sum_, *first[axis + 1 :])


def _repeated(
    short: str, part: Tensor, count: Sym | Static, args: list[Value], keywords: dict[str, Value]
) -> Dims | None:
    """`torch.cat` of tensors that a loop made, all of the same sizes."""
    axis = None if part.dims is None else _axis(part.dims, args[1] if len(args) > 1 else keywords.get("dim", Const(0)))
    if part.dims is None or axis is None or short in _STACKING:
        return None
    one = part.dims[axis]
    known = type(one) is not Sym and type(count) is not Sym
    whole = product([term_of(one), term_of(count)])
    total = STATIC_INT if known and whole is None else of_term(whole, count if type(count) is Sym else one)
    return (*part.dims[:axis], total, *part.dims[axis + 1 :])


def _lifted(short: str, dims: Dims) -> Dims:
    """The sizes of a tensor of few dimensions as `vstack` and its kin take it (torch docs)."""
    one: Value = Static("int", 1)
    if short in ("vstack", "row_stack") and len(dims) == 1:
        return (one, *dims)
    if short == "column_stack" and len(dims) == 1:
        return (*dims, one)
    if short == "dstack" and len(dims) in (1, 2):
        return (*(one,) * (2 - len(dims)), *dims, one)
    return dims


def arguments(args: list[Value], keywords: dict[str, Value], first: int = 0) -> Taken:
    """What a function is given, counted from the argument `first`."""

    def taken(index: int, name: str) -> Value | None:
        return args[index + first] if index + first < len(args) else keywords.get(name)

    return taken


def _interpolated(frame: Frame, node: ast.AST, tensor: Tensor, taken: Taken) -> Dims | None:
    """`size`, or each size of the image times `scale_factor`, rounded down."""
    size, factor = taken(0, "size"), taken(1, "scale_factor")
    if tensor.dims is None or len(tensor.dims) < 3:
        return None
    if size is not None and not (type(size) is Const and size.value is None):
        sizes = given([size])
        spatial = len(tensor.dims) - 2
        if sizes is None or len(sizes) not in (1, spatial):
            return None
        return (*tensor.dims[:2], *(sizes if len(sizes) == spatial else sizes * spatial))
    if type(factor) is not Const or not isinstance(factor.value, (int, float)) or factor.value <= 0:
        return None
    for dim in tensor.dims[2:]:
        no_smaller(frame, node, "interpolate", dim, math.ceil(LEAST / factor.value))
    return (*tensor.dims[:2], *[windows.scaled(dim, factor.value) for dim in tensor.dims[2:]])


def image_behind(
    frame: Frame, node: ast.AST, layer: str, image: Dims, taken: Taken, kernel: list[Value] | None = None
) -> list[Value]:
    """The sizes of an image behind a convolution or pooling, which has to stop at two places at least."""
    if layer in windows.ADAPTIVE_POOLS:
        made = windows.adapted(image, taken(0, "output_size"))
        if layer in ("AdaptiveMaxPool2d", "AdaptiveMaxPool3d"):
            # It takes plain numbers alone, also for the sizes that it is to keep.
            for size, dim in zip(made, image, strict=True):
                if size is dim and type(size) is Sym and size.backed:
                    frame.emit(Converted(frame.site(node), "plain int", size))
        return made
    around = taken(2, "padding")
    if type(around) is Const and around.value == "same":
        return [*image]
    if layer == "MaxPool1d" and type(image[0]) is Sym and image[0].backed:
        frame.emit(Converted(frame.site(node), "max_pool1d", image[0]))
        return [STATIC_INT]
    moving = windows.moving(layer, len(image), taken, kernel)
    if moving is None and layer in windows.POOLS and taken(2, "padding") is None:
        return _pooled(frame, node, layer, image, taken(0, "kernel_size"))
    if moving is None:
        return [windows.unknown(dim) for dim in image]
    found: list[Value] = []
    for dim, window in zip(image, moving, strict=True):
        size = term_of(dim)
        if size is None:
            found.append(windows.unknown(dim))
        elif layer in windows.TRANSPOSED:
            found.append(of_term(window.spread(size), dim))
        else:
            made = window.over(size)
            no_smaller(frame, node, layer, dim, window.least, window.needed, made)
            found.append(of_term(made, dim))
    return found


def _pooled(frame: Frame, node: ast.AST, layer: str, image: Dims, kernel: Value | None) -> list[Value]:
    """Pooling by windows as large as a dynamic size, or a part of it."""
    sizes = list(given([kernel]) or () if kernel is not None else ())
    for dim, size in zip(image, sizes if len(sizes) == len(image) else sizes * len(image), strict=False):
        count, whole = term_of(size), term_of(dim)
        if count is None or whole is None or type(size) is not Sym:
            continue
        if count == whole:
            frame.emit(Converted(frame.site(node), "pool", size))
            break
        no_larger(frame, node, layer, count, dim)
    return [windows.unknown(dim) for dim in image]


def _windowed(
    frame: Frame, node: ast.AST, layer: str, args: list[Value], keywords: dict[str, Value], inputs: list[Tensor]
) -> Dims | None:
    """A convolution, or pooling, called as a function."""
    dims = inputs[0].dims
    if dims is None or len(dims) != windows.rank_of(layer) + 2:
        return None
    if layer in windows.CONVOLUTIONS or layer in windows.TRANSPOSED:
        weight = inputs[1].dims if len(inputs) > 1 else None
        transposed = layer in windows.TRANSPOSED
        groups = OperatorCall(frame, node, layer, args, keywords, inputs).number(6, "groups", default=1)
        if weight is None or len(weight) != len(dims) or len(args) > 7 or groups is None:
            return None
        channels = [weight[0], by_factor(weight[1], groups)]
        equal(frame, node, layer, dims[1], channels[not transposed])
        if len(inputs) > 2 and inputs[2].dims:
            equal(frame, node, layer, inputs[2].dims[0], channels[transposed])
        image = image_behind(frame, node, layer, dims[2:], arguments(args, keywords, 2), [*weight[2:]])
        return (dims[0], channels[transposed], *image)
    if len(args) > 5 or "return_indices" in keywords:
        return None
    return (*dims[:2], *image_behind(frame, node, layer, dims[2:], arguments(args, keywords, 1)))


def _axis(dims: Dims, value: Value) -> int | None:
    """The dimension that a number means, counted from the front; None where it is not known, or there is none."""
    number = value.value if type(value) is Const else None
    return number % len(dims) if type(number) is int and -len(dims) <= number < len(dims) else None
