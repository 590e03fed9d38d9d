"""The sizes of what operators make, and what they demand of those that they are given: a rule for each operator.

The rules are those of torch's documentation of the operators; what they demand was measured by exports with torch 2.13
(`tests/rules/test_sizes_demanded.py`). A rule that does not know a size says nothing of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Iterated
from exportdb_rules.interpreter.dimensions import (
    NORMS,
    REDUCTIONS,
    Dims,
    given,
    number_of,
    numbers_of,
    of_term,
    term_of,
)
from exportdb_rules.interpreter.guards import (
    demand,
    equal,
    lie_as_one,
    made_equal,
    multiple,
    no_larger,
    no_smaller,
    on_a_side,
    taken_at,
)
from exportdb_rules.interpreter.iteration import as_an_input, dimension
from exportdb_rules.interpreter.views import check_view
from exportdb_rules.interpreter.windows import Window, moving, unknown
from exportdb_rules.lattice import Sequence, is_none, is_true
from exportdb_rules.terms import LEAST, Demand, Term, demanded, product
from exportdb_rules.values import KEPT, KEPT_ARRAY, STATIC_INT, Const, Shape, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from exportdb_rules.interpreter.machine import Frame

_ONE: Final = Static("int", 1)
# They compare tensors of one shape, element by element.
_LOSSES: Final = (
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div",
    "soft_margin_loss",
)  # fmt: skip
# They take half of a spectrum.
_OF_HALF: Final = ("irfft", "irfft2")
# Up to so many rows `cdist` computes each distance by itself, of more by a product of matrices.
_FEW: Final = 25


@dataclass(frozen=True, slots=True)
class OperatorCall:
    """A call of an operator: of a method the receiver stands first in `args`. `inputs` are the tensors among them."""

    frame: Frame
    node: ast.AST
    name: str
    args: list[Value]
    keywords: dict[str, Value]
    inputs: list[Tensor]

    def given(self, index: int, *names: str) -> Value | None:
        """An argument, by its position or one of its names."""
        if index < len(self.args):
            return self.args[index]
        return next((self.keywords[name] for name in names if name in self.keywords), None)

    def number(self, index: int, *names: str, default: int | None = None) -> int | None:
        """An argument that is a whole number; the default where it is left out, None where it is not known."""
        value = self.given(index, *names)
        return default if value is None else number_of(value)

    def numbers(self, index: int, *names: str) -> list[int] | None:
        """An argument that is one whole number or several."""
        value = self.given(index, *names)
        return numbers_of((value.items or []) if type(value) is Sequence else [] if value is None else [value]) or None

    def dims(self, index: int = 0) -> Dims | None:
        """The sizes of one of the tensors."""
        return self.inputs[index].dims if index < len(self.inputs) else None

    def axis(self, rank: int, index: int, default: int | None = None) -> int | None:
        """A dimension, counted from the front."""
        number = self.number(index, "dim", "axis", "dimension", default=default)
        return number % rank if number is not None and -rank <= number < rank else None

    def axes(self, rank: int, index: int, *names: str) -> set[int] | None:
        """Dimensions, counted from the front; None where they are not known, or not there."""
        numbers = self.numbers(index, *names)
        if numbers is None or not all(-rank <= number < rank for number in numbers):
            return None
        return {number % rank for number in numbers}

    def equal(self, a: Value, b: Value) -> None:
        """Two sizes must be equal."""
        equal(self.frame, self.node, self.name, a, b)

    def multiple(self, size: Value, of: int) -> None:
        """A size must be a multiple of a number."""
        multiple(self.frame, self.node, self.name, size, of)

    def at_least(self, size: Value, low: int) -> None:
        """A size must be no smaller than a number."""
        no_smaller(self.frame, self.node, self.name, size, low)


def _plus(size: Value, more: int) -> Value:
    return _changed(size, lambda term: term + Term.number(more))


def by_factor(size: Value, factor: int) -> Value:
    """A size times a number."""
    return _changed(size, lambda term: term * Term.number(factor))


def _over(size: Value, by: int) -> Value:
    return _changed(size, lambda term: term.quotient(by))


def _changed(size: Value, change: Callable[[Term], Term | None]) -> Value:
    term = term_of(size)
    return unknown(size) if term is None else of_term(change(term), size)


def _with(dims: Dims, axis: int, size: Value) -> Dims:
    return (*dims[:axis], size, *dims[axis + 1 :])


def _reduced(call: OperatorCall) -> Dims | None:
    """`sum(dim, keepdim)` and its kin."""
    dims = call.dims()
    place = 2 if call.name in NORMS else 1
    if dims is None or "out" in call.keywords:
        return None
    gone = call.axes(len(dims), place, "dim", "axis")
    kept = call.given(place + 1, "keepdim")
    if gone is None:
        return None
    keep = is_true(kept)
    if kept is not None and not (type(kept) is Const and type(kept.value) is bool):
        return None
    return tuple([_ONE if at in gone else dim for at, dim in enumerate(dims) if keep or at not in gone])


def _padded(call: OperatorCall) -> Dims | None:
    """`pad(input, (left, right, …), mode)`: the last dimension stands first."""
    dims, around = call.dims(), call.given(1, "pad")
    mode = call.given(2, "mode")
    if dims is None or type(around) is not Sequence or around.items is None:
        return None
    if len(around.items) % 2 or len(around.items) > 2 * len(dims):
        return None
    kind = mode.value if type(mode) is Const else "constant" if mode is None else ""
    return padded(call, dims, around.items, str(kind))


def padded(call: OperatorCall, dims: Dims, around: list[Value], mode: str) -> Dims:
    """What padding makes of sizes. A mirror shows what is there without the edge, and what goes round all that is there."""
    found = list(dims)
    for index, (left, right) in enumerate(zip(around[::2], around[1::2], strict=True)):
        size = found[-1 - index]
        known = numbers_of([left, right])
        if known is not None and mode in ("reflect", "circular"):
            call.at_least(size, max(known) + (mode == "reflect"))
        if known is not None and sum(known) < 0:
            call.at_least(size, LEAST - sum(known))
        found[-1 - index] = _total([size, left, right])
    return tuple(found)


def _total(sizes: list[Value]) -> Value:
    """The sum of sizes."""
    terms = [term for term in map(term_of, sizes) if term is not None]
    symbol = next((size for size in sizes if type(size) is Sym), None)
    if len(terms) < len(sizes):
        return unknown(symbol or sizes[0])
    return of_term(sum(terms, Term()), symbol)


def _gathered(call: OperatorCall) -> Dims | None:
    """`gather(dim, index)`: the index is no larger in any other dimension."""
    dims, index = call.dims(), call.dims(1)
    if dims is None or index is None or len(dims) != len(index):
        return None
    axis = call.axis(len(dims), 1)
    for at, (size, taken) in enumerate(zip(dims, index, strict=True)):
        if at != axis and axis is not None and type(taken) is Static and taken.number is not None:
            call.at_least(size, taken.number)
    return index if call.name == "gather" else dims


def _unfolded(call: OperatorCall, dims: Dims) -> Dims | None:
    """`unfold(input, kernel_size, dilation, padding, stride)` of images: a column for each window, of which export asks how many
    there are."""
    windows = _over_images(call, 1)
    if len(dims) != 4 or windows is None:
        return None
    for dim, window in zip(dims[2:], windows, strict=True):
        call.at_least(dim, window.least)
    channels = by_factor(dims[1], math.prod(window.kernel for window in windows))
    return (dims[0], channels, _places(windows, dims[2:]))


def _over_images(call: OperatorCall, first: int) -> list[Window] | None:
    """How the window of `fold` or `unfold` moves: `first` is where the size of the window is given."""
    at = {name: first + number for number, name in enumerate(("kernel_size", "dilation", "padding", "stride"))}
    return moving(call.name, 2, lambda _, name: call.given(at[name], name))


def _places(windows: list[Window], dims: Dims) -> Value:
    """At how many places windows stop over an image of these sizes."""
    symbol = next((dim for dim in dims if type(dim) is Sym), dims[0])
    terms = [term for term in map(term_of, dims) if term is not None]
    if len(terms) < len(dims):
        return unknown(symbol)
    return of_term(product([window.over(term) for window, term in zip(windows, terms, strict=True)]), symbol)


def _windows(call: OperatorCall) -> Dims | None:
    """`unfold(dimension, size, step)` of a tensor, or `unfold(input, kernel_size, …)` of images."""
    dims = call.dims()
    if dims is None:
        return None
    if len(call.args) < 4 and "step" not in call.keywords:
        return _unfolded(call, dims)
    size, step = call.number(2, "size"), call.number(3, "step")
    axis = call.axis(len(dims), 1)
    if size is None or step is None or step < 1 or axis is None:
        return None
    count = _plus(_over(_plus(dims[axis], -size), step), 1)
    # Of the first dimension of several it is not asked whether there is one window (measured with torch 2.13).
    least = size if axis == 0 and len(dims) > 1 else size + step
    no_smaller(call.frame, call.node, call.name, dims[axis], least, size, term_of(count) if least > size else None)
    found = (*_with(dims, axis, count), Static("int", size))
    apart = told_apart(call, found)
    if apart is not None and size == step:
        demand(call.frame, call.node, call.name, replace(apart[1], strict=False), dims[axis])
    return found


def told_apart(call: OperatorCall, taken: Dims) -> tuple[int, Demand] | None:
    """What export asks of the windows that `unfold(dimension, size, step)` makes of a last dimension: at once of those without
    overlap, in non-strict mode, and of all but those that move by one where they are laid out anew (measured with torch 2.13)."""
    dims, size, step = call.dims(), call.number(2, "size"), call.number(3, "step")
    if not dims or call.axis(len(dims), 1) != len(dims) - 1 or size is None or step is None or not 1 < step <= size:
        return None
    return lie_as_one(call.frame, dims, taken, len(dims) - 1, step)


def _folded(call: OperatorCall) -> Dims | None:
    """`fold(input, output_size, kernel_size, …)`: the channels are those of each place in a window, the columns one for each
    window."""
    dims, window = call.dims(), call.numbers(2, "kernel_size")
    if dims is None or len(dims) < 2 or window is None:
        return None
    places = math.prod(window if len(window) == 2 else window * 2)
    call.multiple(dims[-2], places)
    size, windows = call.given(1, "output_size"), _over_images(call, 2)
    image = None if size is None else given([size] if type(size) in (Sequence, Shape) else [size, size])
    if image is None or len(image) != 2 or windows is None:
        return None
    call.equal(dims[-1], _places(windows, image))
    return (*dims[:-2], _over(dims[-2], places), *image)


def _affine_grid(call: OperatorCall) -> Dims | None:
    """`affine_grid(theta, size)`: a matrix for each image, and a place for each of its numbers."""
    theta, size = call.dims(), call.given(1, "size")
    image = None if size is None else given([size])
    if theta is None or image is None or len(theta) != 3 or len(image) < 3:
        return None
    rank = len(image) - 2
    for dim, other in zip(theta, (image[0], Static("int", rank), Static("int", rank + 1)), strict=True):
        call.equal(dim, other)
    return (image[0], *image[2:], Static("int", rank))


def _shuffled(call: OperatorCall) -> Dims | None:
    """`pixel_shuffle` and `pixel_unshuffle`: channels become places, or places channels."""
    dims, factor = call.dims(), call.number(1, "upscale_factor", "downscale_factor")
    if dims is None or factor is None or len(dims) < 3 or factor < 1:
        return None
    *batch, channels, height, width = dims
    if call.name == "pixel_shuffle":
        call.multiple(channels, factor * factor)
        return (*batch, _over(channels, factor * factor), by_factor(height, factor), by_factor(width, factor))
    call.multiple(height, factor)
    call.multiple(width, factor)
    return (*batch, by_factor(channels, factor * factor), _over(height, factor), _over(width, factor))


def _channels_shuffled(call: OperatorCall) -> Dims | None:
    """`channel_shuffle(input, groups)`."""
    dims, groups = call.dims(), call.number(1, "groups")
    if dims is not None and len(dims) > 2 and groups is not None:
        call.multiple(dims[1], groups)
    return dims


def _repeated(call: OperatorCall) -> Dims | None:
    """`repeat(2, 3)` and `tile`: a number for each dimension, new ones in front."""
    dims, named = call.dims(), call.given(1, "repeats", "dims")
    times = given(call.args[1:] if len(call.args) > 2 or named is None else [named])
    if dims is None or times is None or (call.name == "repeat" and len(times) < len(dims)):
        return None
    more = max(len(times), len(dims))
    wide, each = ((*[_ONE] * (more - len(sizes)), *sizes) for sizes in (dims, times))
    return tuple([_times(size, by) for size, by in zip(wide, each, strict=True)])


def _times(size: Value, by: Value) -> Value:
    """A size times another number, which may be dynamic as well."""
    number = number_of(by)
    if number is not None:
        return by_factor(size, number)
    if type(size) is Static and type(by) is Static:
        return STATIC_INT
    return of_term(product([term_of(size), term_of(by)]), by if type(by) is Sym else size)


def _interleaved(call: OperatorCall) -> Dims | None:
    dims, times = call.dims(), call.number(1, "repeats")
    axis = None if dims is None else call.axis(len(dims), 2)
    return None if dims is None or times is None or axis is None else _with(dims, axis, by_factor(dims[axis], times))


def _narrowed(call: OperatorCall) -> Dims | None:
    """`narrow(dim, start, length)`."""
    dims = call.dims()
    axis = None if dims is None else call.axis(len(dims), 1)
    start, length = call.number(2, "start"), call.given(3, "length")
    if dims is None or axis is None or length is None:
        return None
    long = number_of(length)
    if start is not None and long is not None:
        call.at_least(dims[axis], start + long if start >= 0 else -start)
    elif start is not None and (count := term_of(length)) is not None:
        no_larger(call.frame, call.node, call.name, count + Term.number(start), dims[axis])
    elif long is not None and (place := term_of(call.given(2, "start"))) is not None:
        taken_at(call.frame, call.node, call.name, place + Term.number(long - 1), dims[axis])
    sizes = given([length])
    return None if sizes is None else _with(dims, axis, sizes[0])


def _selected(call: OperatorCall) -> Dims | None:
    """`select(dim, index)`."""
    dims = call.dims()
    axis, index = None if dims is None else call.axis(len(dims), 1), call.number(2, "index")
    if dims is None or axis is None:
        return None
    if index is not None:
        call.at_least(dims[axis], index + 1 if index >= 0 else -index)
    elif (place := term_of(call.given(2, "index"))) is not None:
        taken_at(call.frame, call.node, call.name, place, dims[axis])
    return (*dims[:axis], *dims[axis + 1 :])


def _compared(call: OperatorCall) -> Dims | None:
    """A loss of each element (`reduction="none"`)."""
    reduction, dims = call.keywords.get("reduction"), call.dims()
    each = type(reduction) is Const and reduction.value == "none"
    return dims if each and dims is not None and len(dims) == len(call.dims(1) or ()) else None


def _on_the_diagonal(call: OperatorCall) -> Dims | None:
    """`diag(vector)`: a square matrix."""
    dims = call.dims()
    return (*dims, *dims) if dims is not None and len(dims) == len(call.args) == 1 else None


def _moved(call: OperatorCall) -> Dims | None:
    """`movedim(source, destination)`."""
    dims, source, target = call.dims(), call.numbers(1, "source"), call.numbers(2, "destination")
    if dims is None or source is None or target is None or len(source) != len(target):
        return None
    rank = len(dims)
    placed = {to % rank: dims[at % rank] for at, to in zip(source, target, strict=True)}
    left = iter([dim for at, dim in enumerate(dims) if at not in {number % rank for number in source}])
    return tuple([placed[at] if at in placed else next(left) for at in range(rank)])


def _squeezed(call: OperatorCall) -> Dims | None:
    """`squeeze(dim)`: a dynamic size is never one, and one that is configured is, as whoever names its dimension knows."""
    dims = call.dims()
    if dims is None:
        return None
    every = call.given(1, "dim") is None
    asked = {*range(len(dims))} if every else call.axes(len(dims), 1, "dim")
    if asked is None:
        return None
    unknown = {at for at in asked if type(dims[at]) is Static and dims[at].number is None}  # type: ignore[attr-defined]
    if unknown and every:
        return None
    return tuple([dim for at, dim in enumerate(dims) if at not in asked or (number_of(dim) != 1 and at not in unknown)])


def _halved(call: OperatorCall) -> Dims | None:
    """`glu`: a dimension is cut in two."""
    dims = call.dims()
    axis = None if dims is None else call.axis(len(dims), 1, -1)
    if dims is None or axis is None:
        return None
    call.multiple(dims[axis], 2)
    return _with(dims, axis, _over(dims[axis], 2))


def _normed(call: OperatorCall) -> Dims | None:
    """`layer_norm(input, normalized_shape)` and `rms_norm`."""
    dims, sizes = call.dims(), call.given(1, "normalized_shape")
    wanted = given([sizes]) or () if sizes is not None else ()
    for other in (dims, *[tensor.dims for tensor in call.inputs[1:]]):
        for size, asked in zip(reversed(other or ()), reversed(wanted), strict=False):
            call.equal(size, asked)
    return dims


def groups_are_odd(channels: Value | None, groups: Value | None) -> bool:
    """Whether the rows of a normalization by groups, of which data decides how many there are, may be one number: it asks for
    `rows * channels // groups == 1`, which export answers where that is even (measured with torch 2.13)."""
    all_, parts = number_of(channels), number_of(groups)
    return all_ is not None and bool(parts) and all_ // parts % 2 == 1


def _grouped(call: OperatorCall) -> Dims | None:
    """`group_norm(input, num_groups)`."""
    dims, groups = call.dims(), call.number(1, "num_groups")
    if dims is not None and len(dims) > 1 and groups is not None:
        call.multiple(dims[1], groups)
    return dims


def _one_hot(call: OperatorCall) -> Dims | None:
    dims, classes = call.dims(), call.number(1, "num_classes")
    return (*dims, Static("int", classes)) if dims is not None and classes is not None and classes > 0 else None


def _ranged(call: OperatorCall) -> Dims | None:
    """`arange(start, end, step)`."""
    bounds = [value for value in call.args if type(value) in (Const, Static, Sym)]
    if len(bounds) != len(call.args) or {"start", "end", "step"} & {*call.keywords} or not bounds:
        return None
    numbers = [number_of(value) for value in bounds]
    if len(bounds) == 3 or any(type(bound) is Const and type(bound.value) is float for bound in bounds):
        exact = [bound.value if type(bound) is Const else number for bound, number in zip(bounds, numbers, strict=True)]
        start, end, step = exact if len(exact) == 3 else (*exact, 1) if len(exact) == 2 else (0, *exact, 1)
        if start is not None and end is not None and step:
            return (Static("int", max(0, math.ceil((end - start) / step))),)
        by, ends = number_of(bounds[-1]) or 0, [term_of(bound) for bound in bounds[:-1]]
        if len(bounds) < 3 or by < 1 or ends[0] is None or ends[1] is None:
            return None
        return (of_term((ends[1] - ends[0] + Term.number(by - 1)).quotient(by), bounds[1]),)
    first, last = (Const(0), bounds[0]) if len(bounds) == 1 else bounds
    low, high = term_of(first), term_of(last)
    return None if low is None or high is None else (of_term(high - low, last),)


def _counted(call: OperatorCall) -> Dims | None:
    """`linspace(start, end, steps)` and `randperm(n)`."""
    count = call.given(0, "n") if call.name == "randperm" else call.given(2, "steps")
    return None if count is None else given([count])


def _identity(call: OperatorCall) -> Dims | None:
    """`eye(n, m)`."""
    rows = call.given(0, "n")
    return None if rows is None else given([rows, call.given(1, "m") or rows])


def _drawn(call: OperatorCall) -> Dims | None:
    """`randint(low, high, size)`, and without `low`."""
    size = call.keywords.get("size", call.args[-1] if call.args else None)
    return given([size]) if type(size) is Sequence else None


def _written(call: OperatorCall) -> Dims | None:
    """`torch.tensor([[…], […]])` of numbers."""
    found: list[Value] = []
    value = call.args[0] if call.args else None
    while type(value) is Sequence and value.items:
        found.append(Static("int", len(value.items)))
        value = value.items[0]
    # Of an option that the constructor was given nothing says that it is one number.
    number = type(value) is Const or (type(value) is Static and value.type != "")
    return tuple(found) if number and value not in (KEPT, KEPT_ARRAY) else None


def _broadcast_to(call: OperatorCall) -> Dims | None:
    dims, sizes = call.dims(), call.given(1, "size")
    wanted = None if sizes is None else given([sizes])
    for size, asked in zip(reversed(dims or ()), reversed(wanted or ()), strict=False):
        if number_of(size) != 1:
            call.equal(size, asked)
    return wanted


def _as_other(call: OperatorCall) -> Dims | None:
    """`view_as(other)`, `reshape_as(other)` and `expand_as(other)`."""
    dims, wanted = call.dims(0), call.dims(1)
    if dims is None or wanted is None:
        return wanted
    if call.name == "expand_as":
        for size, asked in zip(reversed(dims), reversed(wanted), strict=False):
            if number_of(size) != 1:
                call.equal(size, asked)
        return wanted
    check_view(call.frame, call.node, "view", dims, [*wanted])
    return wanted


def _attended(call: OperatorCall) -> Dims | None:
    """`scaled_dot_product_attention(query, key, value)`."""
    query, key, value = call.dims(0), call.dims(1), call.dims(2)
    mask = call.given(3, "attn_mask")
    if query is None or key is None or value is None or not len(query) == len(key) == len(value) > 2:
        return None
    if "enable_gqa" not in call.keywords:
        for size, other in zip(query[:-2], key[:-2], strict=True):
            if number_of(size) != 1 and number_of(other) != 1:
                call.equal(size, other)
        for size, other in zip(query[:-2], value[:-2], strict=True):
            if number_of(size) != 1 and number_of(other) != 1:
                call.equal(size, other)
    call.equal(query[-1], key[-1])
    if len(query) != 4 or term_of(query[-1]) != term_of(value[-1]):
        # The kernel of four dimensions compares the two lengths only when it runs (measured with torch 2.13).
        call.equal(key[-2], value[-2])
    if type(mask) is Tensor and mask.dims is not None:
        for size, other in zip(reversed((*query[:-1], key[-2])), reversed(mask.dims), strict=False):
            if number_of(other) != 1:
                call.equal(size, other)
    return (*query[:-1], value[-1])


def _distances(call: OperatorCall) -> Dims | None:
    a, b = call.dims(0), call.dims(1)
    if a is None or b is None or len(a) != len(b) or len(a) < 2:
        return None
    squared = number_of(call.given(2, "p") or Const(2)) == 2 and call.given(3, "compute_mode") is None
    if squared and not on_a_side(call.frame, call.node, call.name, a[-2], _FEW):
        on_a_side(call.frame, call.node, call.name, b[-2], _FEW)
    return (*a[:-1], b[-2])


def _spectrum(call: OperatorCall) -> Dims | None:
    """`stft(input, n_fft, hop_length)`: the windows are cut out by strides, whose layout is asked for.

    A batch axis that is dynamic as well answers for windows that overlap, if there is more than one: with a fixed one, or
    none, whole hops are all that is proven (measured with torch 2.13).
    """
    dims, long = call.dims(), call.number(1, "n_fft")
    if dims is None or long is None or len(dims) not in (1, 2):
        return None
    hop = call.number(2, "hop_length", default=long // 4)
    sided, complex_ = call.given(8, "onesided"), call.given(9, "return_complex")
    center, mode = call.given(5, "center"), call.given(6, "pad_mode")
    centered = center is None or is_true(center)
    if centered and (mode is None or (type(mode) is Const and mode.value == "reflect")):
        call.at_least(dims[-1], long // 2 + 1)
    if hop is None or hop < 1:
        return None
    if len(dims) == 1 or type(dims[0]) is not Sym or hop == long:
        call.multiple(dims[-1], hop)
    else:
        call.at_least(dims[-1], hop + (0 if centered else long))
    known = all(value is None or (type(value) is Const and type(value.value) is bool) for value in (center, sided))
    if not known or not is_true(complex_):
        return None
    bins = long if type(sided) is Const and sided.value is False else long // 2 + 1
    size = dims[-1] if centered else _plus(dims[-1], -long)
    return (*dims[:-1], Static("int", bins), _plus(_over(size, hop), 1))


def _lettered(call: OperatorCall) -> Dims | None:
    """`einsum`: what has one letter is of one size; the result has the letters behind the arrow."""
    equation = call.args[0].value if call.args and type(call.args[0]) is Const else None
    if not isinstance(equation, str):
        return None
    left, _, right = equation.replace(" ", "").partition("->")
    letters: dict[str, Value] = {}
    dotted: list[Dims] = []
    operands = call.args[1:]
    if len(operands) == 1 and type(operands[0]) is Sequence:
        operands = operands[0].items or []
    for names, operand in zip(left.split(","), operands, strict=False):
        dims = operand.dims if type(operand) is Tensor else None
        front, dots, back = names.partition("...")
        if dims is None or len(dims) < len(front) + len(back):
            continue
        end = len(dims) - len(back) if dots else len(front)
        for letter, dim in [*zip(front, dims, strict=False), *zip(back, dims[end:], strict=False)]:
            call.equal(letters.setdefault(letter, dim), dim)
        if dots:
            dotted.append(dims[len(front) : end])
    front, dots, back = right.partition("...")
    if not right or not {*front, *back} <= {*letters} or (dots and len({len(dims) for dims in dotted}) != 1):
        return None
    for dims in dotted[1:] if dots else ():
        for size, other in zip(dotted[0], dims, strict=True):
            if number_of(size) == 1 or number_of(other) == 1:
                return None
            call.equal(size, other)
    return (*[letters[name] for name in front], *(dotted[0] if dots else ()), *[letters[name] for name in back])


def _stacked(call: OperatorCall) -> Dims | None:
    """`stack(tensors, dim)`: the number of tensors is a new dimension."""
    every, first = call.given(0, "tensors"), call.dims()
    axis = None if first is None else call.axis(len(first) + 1, 1, 0)
    if first is None or axis is None or type(every) is not Sequence:
        return None
    count = every.count if every.items is None else Static("int", len(every.items))
    return None if count is None else (*first[:axis], count, *first[axis:])


def _crossed(call: OperatorCall) -> Dims | None:
    """`cartesian_prod(a, b, …)`: a row for each pair, and as many columns as there are tensors."""
    ends = [tensor.dims for tensor in call.inputs]
    if len(call.args) < 2 or len(ends) < len(call.args):
        return None
    terms = [term_of(dims[0]) if dims else None for dims in ends]
    known = [term for term in terms if term is not None]
    rows = math.prod(known[1:], start=known[0]) if len(known) == len(ends) else None
    return of_term(rows), Static("int", len(ends))


def _taken(call: OperatorCall) -> Dims | None:
    """`index_select(dim, index)`."""
    dims, index = call.dims(), call.dims(1)
    axis = None if dims is None else call.axis(len(dims), 1)
    if dims is None or axis is None or index is None or len(index) > 1:
        return None
    return _with(dims, axis, index[0] if index else _ONE)


def _differences(call: OperatorCall) -> Dims | None:
    """`diff(n, dim)`."""
    dims, times = call.dims(), call.number(1, "n", default=1)
    axis = None if dims is None else call.axis(len(dims), 2, -1)
    if dims is None or axis is None or times is None or len(call.inputs) > 1:
        return None
    return _with(dims, axis, _plus(dims[axis], -times))


def _transformed(call: OperatorCall) -> tuple[list[Value], list[int], bool] | None:
    """`rfft(n, dim)` and `rfft2(s, dim)`: the sizes with those that are asked for in place of the tensor's, the dimensions that
    are transformed, and whether sizes are asked for."""
    dims, asked = call.dims(), call.given(1, "n", "s")
    default = [-2, -1] if call.name.endswith("2") else [-1]
    axes = default if call.given(2, "dim") is None else call.numbers(2, "dim")
    if dims is None or axes is None or any(not -len(dims) <= axis < len(dims) for axis in axes):
        return None
    found = [*dims]
    if asked is None or is_none(asked):
        return found, axes, False
    sizes = given([asked])
    if sizes is None or len(sizes) != len(axes):
        return None
    for axis, size in zip(axes, sizes, strict=True):
        taken = _plus(_over(size, 2), 1) if axis == axes[-1] and call.name in _OF_HALF else size
        if type(taken) is Static:
            made_equal(call.frame, call.node, call.name, dims[axis], taken.number)
        found[axis] = size
    return found, axes, True


def _spectrum_of_all(call: OperatorCall) -> Dims | None:
    """`fft(n, dim)` and `ifft`: as many frequencies as numbers."""
    transformed = _transformed(call)
    return None if transformed is None else tuple(transformed[0])


def _half_spectrum(call: OperatorCall) -> Dims | None:
    """The frequencies from zero up, of the dimension that is transformed last."""
    dims, transformed = call.dims(), _transformed(call)
    if dims is None or transformed is None:
        return None
    found, axes, _ = transformed
    axis = axes[-1] % len(found)
    half = _plus(_over(found[axis], 2), 1)
    # In another than the last dimension, export compares the two numbers (measured with torch 2.13).
    if axis < len(found) - 1 and found[axis] is dims[axis] and (count := term_of(half)) is not None:
        no_larger(call.frame, call.node, call.name, count, found[axis])
    return _with(tuple(found), axis, half)


def _whole_signal(call: OperatorCall) -> Dims | None:
    """Export asks whether twice the frequencies are a multiple of them, and does not see it of a quotient: of `n // 2 + 1`
    (measured with torch 2.13, of a named Dim)."""
    dims, transformed = call.dims(), _transformed(call)
    if dims is None or transformed is None:
        return None
    found, axes, asked = transformed
    count = term_of(dims[axes[-1]])
    if count is not None and count.divides:
        text = f"({count * Term.number(2)}) % ({count}) == 0"
        demand(call.frame, call.node, call.name, Demand("unproven", text, count.dimensions), dims[axes[-1]])
    return tuple(found) if asked else _with(dims, axes[-1] % len(dims), _plus(by_factor(dims[axes[-1]], 2), -2))


RULES: Final[dict[str, Callable[[OperatorCall], Dims | None]]] = {
    **dict.fromkeys(REDUCTIONS, _reduced),
    "pad": _padded,
    **dict.fromkeys(("gather", "scatter", "scatter_add"), _gathered),
    "unfold": _windows,
    "fold": _folded,
    "affine_grid": _affine_grid,
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle"), _shuffled),
    "channel_shuffle": _channels_shuffled,
    **dict.fromkeys(("repeat", "tile"), _repeated),
    "repeat_interleave": _interleaved,
    "narrow": _narrowed,
    "select": _selected,
    **dict.fromkeys(("movedim", "moveaxis"), _moved),
    **dict.fromkeys(_LOSSES, _compared),
    "diag": _on_the_diagonal,
    "squeeze": _squeezed,
    "glu": _halved,
    **dict.fromkeys(("layer_norm", "rms_norm"), _normed),
    "group_norm": _grouped,
    "one_hot": _one_hot,
    "arange": _ranged,
    **dict.fromkeys(("linspace", "randperm"), _counted),
    "eye": _identity,
    "randint": _drawn,
    "tensor": _written,
    "broadcast_to": _broadcast_to,
    **dict.fromkeys(("view_as", "reshape_as", "expand_as"), _as_other),
    "scaled_dot_product_attention": _attended,
    "cdist": _distances,
    "stft": _spectrum,
    "einsum": _lettered,
    "index_select": _taken,
    "diff": _differences,
    **dict.fromkeys(("fft", "ifft", "fft2", "ifft2"), _spectrum_of_all),
    **dict.fromkeys(("rfft", "rfft2", "ihfft"), _half_spectrum),
    **dict.fromkeys(_OF_HALF, _whole_signal),
    "stack": _stacked,
    "cartesian_prod": _crossed,
}


def parts(call: OperatorCall, result: Sequence) -> None:
    """The sizes of the tensors that an operator gives several of: the pieces of one, or values and where they stood."""
    dims = call.dims()
    if dims is None:
        _count(call)
        return
    if call.name in _CUTTING:
        pieces = _pieces(call, dims)
        first = result.items[0] if result.items else result.element
        if pieces is None and type(result.element) is Tensor and not result.items:
            sizes = _of_each(call, dims, result.element)
            if call.name == "unbind" and (axis := call.axis(len(dims), 1, 0)) is not None:
                result.count = dims[axis]
            if sizes is not None:
                result.element = result.element.changed(dims=sizes, rank=len(sizes))
        if pieces is not None and type(first) is Tensor and not first.unbacked:
            result.items, result.element = [], None
            for sizes in pieces:
                result.add(first.changed(dims=sizes, rank=len(sizes)), result.depth)
        return
    if call.name in _PICKING:
        sizes = _reduced(call)
    elif call.name == "meshgrid":
        sizes = _grid(call)
    elif call.name == "topk":
        sizes = _best(call, dims)
    else:
        sizes = dims if call.name in ("sort", "cummax", "cummin") else None
    for part in (result.items or [result.element]) if sizes is not None else ():
        if type(part) is Tensor:
            part.dims, part.rank = sizes, len(sizes or ())


def _of_each(call: OperatorCall, dims: Dims, piece: Tensor) -> Dims | None:
    """The sizes that all pieces have, of which it is not known how many there are: rows, or sections of data-dependent size."""
    axis = call.axis(len(dims), 1 if call.name == "unbind" else 2, 0)
    if axis is None:
        return None
    if call.name == "unbind":
        return None if piece.unbacked else (*dims[:axis], *dims[axis + 1 :])
    sections = call.given(1, "split_size_or_sections", "split_sizes")
    number = sections.any() if type(sections) is Sequence and call.name != "tensor_split" else None
    return _with(dims, axis, number) if type(number) is Sym and not number.backed else None


def _grid(call: OperatorCall) -> Dims | None:
    """`meshgrid(a, b, …, indexing)`: as many places as each of them has elements."""
    ends = [tensor.dims for tensor in call.inputs]
    sizes = [dims[0] if dims else _ONE for dims in ends if dims is not None and len(dims) <= 1]
    crossed = call.keywords.get("indexing")
    if len(sizes) < len(ends) or not (crossed is None or (type(crossed) is Const and crossed.value in ("ij", "xy"))):
        return None
    if type(crossed) is Const and crossed.value == "xy" and len(sizes) > 1:
        sizes[:2] = sizes[1::-1]
    return tuple(sizes)


def _best(call: OperatorCall, dims: Dims) -> Dims | None:
    """`topk(k, dim)`."""
    axis, count = call.axis(len(dims), 2, -1), call.given(1, "k")
    sizes = None if count is None else given([count])
    return None if axis is None or sizes is None or len(sizes) != 1 else _with(dims, axis, sizes[0])


_PICKING: Final = frozenset({"max", "min", "median", "mode", "kthvalue"})
_CUTTING: Final = frozenset({"split", "chunk", "tensor_split", "unbind", "split_with_sizes"})
# Pieces that are told apart.
_MAX_PIECES: Final = 16


def _count(call: OperatorCall) -> None:
    """Pieces of a tensor whose sizes are not known one by one: how many there are depends on the size that is cut. Where they
    are unpacked into a fixed number of names, eager accepts no other number."""
    frame = call.frame
    if call.name not in ("split", "unbind") or frame.run.dynamic.kind != "assumed":
        return
    axis = call.number(2 if call.name == "split" else 1, "dim", "axis", default=0)
    whole = call.inputs[0]
    anyhow = frame.run.dynamic.all_dimensions and as_an_input(whole)  # whichever dimension it is
    size = dimension(frame, whole, axis) if axis is not None or anyhow else None
    if type(size) is not Sym or not size.backed:
        return
    asked = call.given(1, "split_size_or_sections", "split_size")
    if call.name == "unbind" and frame.unpacked is not call.node:
        _frozen(call, size)
    elif _is_number_of(asked):
        _in_parts(call, size)


def _is_number_of(asked: Value | None) -> bool:
    """Whether it is said how large each piece is. What the constructor of a class alone is given has no type; a list of sizes would
    be unpacked."""
    if type(asked) is Const:
        return type(asked.value) is int
    return type(asked) in (Static, Sym) and asked.type in ("int", "")  # type: ignore[union-attr]


def _in_parts(call: OperatorCall, size: Sym) -> None:
    """There are as many parts as in the example. Unpacked into a fixed number of names, eager accepts no other number."""
    if size.backed and call.frame.unpacked is not call.node:
        call.frame.emit(Iterated(call.frame.site(call.node), size, "parts"))


def _is_nameless(size: Sym) -> bool:
    """Whether no name declares which relations a size takes part in: export then adopts the guard on it."""
    return size.term is not None and not all(map(str.isidentifier, size.term.dimensions))


def _pieces(call: OperatorCall, dims: Dims) -> list[Dims] | None:
    """The sizes of each piece; None where their number is not known, or is large."""
    if call.name == "unbind":
        axis = call.axis(len(dims), 1, 0)
        if axis is None:
            return None
        size = dimension(call.frame, call.inputs[0], axis)
        if call.frame.unpacked is not call.node or call.frame.run.dynamic.kind != "assumed":
            _frozen(call, size)
        count = number_of(size)
        rest = (*dims[:axis], *dims[axis + 1 :])
        return None if count is None or not 0 < count <= _MAX_PIECES else [rest] * count
    axis = call.axis(len(dims), 2, 0)
    if axis is None:
        return None
    found = _cut(call, dims[axis])
    return None if found is None else [_with(dims, axis, size) for size in found]


def _cut(call: OperatorCall, size: Value) -> list[Value] | None:
    """The sizes of the pieces along the dimension that is cut."""
    given_ = call.given(1, "split_size_or_sections", "split_size", "split_sizes", "chunks", "sections")
    if type(given_) is Sequence:
        if call.name == "tensor_split":
            return None  # they are places
        _sections(call, size)
        sizes = given([given_])
        return None if not sizes or len(sizes) > _MAX_PIECES else [*sizes]
    count = number_of(given_)
    asked, whole = None if given_ is None else term_of(given_), term_of(size)
    left = None if asked is None or whole is None else (whole - asked).value
    # A part of the whole size, or of all but one of it: there are one or two, whatever the size is.
    if call.name == "split" and count != 1 and type(size) is Sym and _is_nameless(size) and left not in (0, 1):
        _in_parts(call, size)
    if count is None and given_ is not None and asked is not None:
        return _as_many(call, size, given_, asked)
    if count is None or count < 1:
        return None
    if call.name == "split":
        if count == 1:
            _frozen(call, size)
        else:
            call.multiple(size, count)
        return _whole_pieces(call, size, Static("int", count))
    call.multiple(size, count)
    if call.name == "chunk":
        _rounded_up(call, size, None if whole is None else whole.over(Term.number(count)), count)
        return _whole_pieces(call, size, _over(_plus(size, count - 1), count))
    number = number_of(size)
    if number is None:
        return [_over(size, count)] * count if count <= _MAX_PIECES else None
    return [Static("int", number // count + (at < number % count)) for at in range(min(count, _MAX_PIECES))]


def _as_many(call: OperatorCall, size: Value, given_: Value, asked: Term) -> list[Value] | None:
    """Pieces of a dynamic size, or a dynamic number of them: there are as many as in the example."""
    seen, whole = asked.at(call.frame.run.dynamic.sizes), term_of(size)
    count = None if whole is None else whole.over(asked)
    if call.name == "chunk" and seen is not None:
        demand(call.frame, call.node, call.name, demanded(asked, Term.number(seen)), given_)
    elif call.name == "split" and count is not None and count.value is not None:
        _rounded_up(call, size, asked, count.value)
        return [given_] * count.value if count.value <= _MAX_PIECES else None
    elif call.name == "split" and not no_larger(call.frame, call.node, call.name, asked, size):
        no_smaller(call.frame, call.node, call.name, given_, LEAST, needed=0)
    return None


def _rounded_up(call: OperatorCall, size: Value, piece: Term | None, count: int) -> None:
    """Pieces of a dynamic size that are all that there is: export rounds their number up, and does not see of one named Dim that
    it is the same for all its sizes (measured with torch 2.13: of several dimensions it does not ask)."""
    if piece is not None and len(piece.dimensions) == 1:
        text = f"({piece * Term.number(count + 1) - Term.number(1)}) // ({piece}) == {count}"
        demand(call.frame, call.node, call.name, Demand("unproven", text, piece.dimensions), size)


def _whole_pieces(call: OperatorCall, size: Value, piece: Value) -> list[Value] | None:
    """Pieces of one size, and what is left; as many as there are in the example."""
    whole, part = term_of(size), term_of(piece)
    if whole is None or part is None:
        return None
    sizes = call.frame.run.dynamic.sizes
    total, each = whole.at(sizes), part.at(sizes)
    if not total or not each or -(-total // each) > _MAX_PIECES:
        return None
    count = -(-total // each)
    last = whole - part * Term.number(count - 1)
    return [*[piece] * (count - 1), of_term(last, size)]


def _frozen(call: OperatorCall, size: Value) -> None:
    """There are as many pieces as the size says: a graph has a fixed number of them."""
    if type(size) is Sym and size.backed:
        call.frame.emit(Iterated(call.frame.site(call.node), size, "pieces"))


def _sections(call: OperatorCall, size: Value) -> None:
    """`split([2, 4])`: the sections are all that there is."""
    sections = call.given(1, "split_size_or_sections", "split_sizes")
    if type(sections) is not Sequence or not sections.items:
        return
    total: Term | None = Term()
    for section in sections.items:
        term = term_of(section)
        if term is None or not no_larger(call.frame, call.node, call.name, term, size):
            no_smaller(call.frame, call.node, call.name, section, LEAST, needed=0)
        total = None if total is None or term is None else total + term
    whole = term_of(size)
    if whole is not None and total is not None:
        demand(call.frame, call.node, call.name, demanded(whole, total), size, *sections.items)
