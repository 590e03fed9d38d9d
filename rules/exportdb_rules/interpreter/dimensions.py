"""What is known of a tensor's dimensions one by one: from its example, and behind operators that move or drop them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.lattice import Sequence
from exportdb_rules.operator_table import example_dtype
from exportdb_rules.terms import LEAST, Term, lowest, never_below, product
from exportdb_rules.values import NONE, STATIC_INT, Const, Evidence, Shape, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exportdb_rules.dynamic_shapes import Dimension

Dims = tuple[Value, ...]

# `[:]`
_WHOLE: Final = Sequence("slice", [NONE, NONE, NONE])
# A dynamic size that was computed: torch knows its range, this analyser does not.
COMPUTED: Final = Sym("int", backed=True, low=0, size=True)
_SWAPS: Final = frozenset({"transpose", "swapaxes", "swapdims"})
# Reductions that give one tensor, also along a dimension.
REDUCTIONS: Final = frozenset(
    "sum mean prod any all std var median amax amin argmax argmin logsumexp nanmean nansum norm "
    "vector_norm count_nonzero".split()
)
# Those whose second argument is the order, not the dimension.
NORMS: Final = frozenset(("norm", "vector_norm"))


def as_large_as(result: Tensor, other: Tensor) -> None:
    """A result has every size of another tensor."""
    result.shape, result.rank, result.dims = other.shape, other.rank, other.dims


def of_example(tensor: Tensor, example: Tensor, declared: dict[int, Dimension], place: str) -> Tensor:
    """An input, of as many dimensions as the example, under the dimensions that are declared to be dynamic.

    Args:
        place: what the program calls it, for the sizes that have no name.
    """
    rank, evidence = example.rank or 0, max(Evidence.DERIVED, tensor.evidence)
    known = example.dims if example.dims is not None and len(example.dims) == rank else (STATIC_INT,) * rank
    dims: list[Value] = [dim if type(dim) is Static else STATIC_INT for dim in known]
    for index, said in declared.items():
        if -rank <= index < rank:
            if not said.unbacked and type(dims[index]) is Static and dims[index].number in (0, 1):  # type: ignore[attr-defined]
                term = None  # export gives it no symbol
            elif said.name is None:
                term = Term.dimension(f"{place}.shape[{index % rank}]")
            else:
                term = Term.written(said.name)
            low = said.low if said.unbacked else max(LEAST, said.low)
            dims[index] = Sym(
                "int", backed=True, low=low, high=said.high, size=True, evidence=evidence, dim=said.name, term=term
            )  # fmt: skip
    return tensor.changed(rank=rank, dims=tuple(dims))


def term_of(value: Value | None) -> Term | None:
    """A size as a term; None where it is not known as one."""
    if type(value) is Const:
        return Term.number(value.value) if type(value.value) is int else None
    if type(value) is Static:
        return None if value.number is None else Term.number(value.number)
    return value.term if type(value) is Sym and value.type == "int" else None


def number_of(value: Value | None) -> int | None:
    """A size that is known as a number."""
    term = term_of(value)
    return None if term is None else term.value


def dots_in(parts: list[Value]) -> int | None:
    """Where `...` stands among the parts of a subscript; None where it does not."""
    return next((at for at, part in enumerate(parts) if type(part) is Const and part.value is ...), None)


def numbers_of(values: list[Value]) -> list[int] | None:
    """Sizes that are known as numbers; None where one of them is not."""
    found = [number for number in map(number_of, values) if number is not None]
    return found if len(found) == len(values) else None


def of_term(term: Term | None, like: Value | None = None) -> Value:
    """A size that was computed: a symbol, or a number that is known before tracing. `like` is one of what it was
    computed from."""
    if term is None:
        return COMPUTED
    if term.value is not None:
        return Static("int", term.value)
    evidence = like.evidence if type(like) is Sym else COMPUTED.evidence
    return Sym("int", backed=True, low=0, size=True, evidence=evidence, term=term)


def is_rest(size: Value) -> bool:
    """Whether a size is -1: whatever is left."""
    return type(size) in (Const, Static) and number_of(size) == -1


def given(sizes: list[Value]) -> Dims | None:
    """The dimensions of what is made of these sizes; None where they are not known one by one."""
    if len(sizes) == 1 and type(sizes[0]) is Shape:
        return sizes[0].tensor.dims
    if len(sizes) == 1 and type(sizes[0]) is Sequence:
        if not sizes[0].items:
            return None if sizes[0].items is None else ()
        sizes = sizes[0].items
    dims = [_size(size) for size in sizes]
    return tuple(dims) if dims and all(dim is not None for dim in dims) else None  # type: ignore[arg-type]


def expanded(dims: Dims | None, sizes: list[Value]) -> Dims | None:
    """The dimensions behind `expand`: -1 leaves a size as it is, counted from the last one."""
    if len(sizes) == 1 and type(sizes[0]) is Sequence:
        if sizes[0].items is None:
            return None
        sizes = sizes[0].items
    if not any(map(is_rest, sizes)):
        return given(sizes)
    if dims is None or len(dims) > len(sizes):
        return None
    before = [None] * (len(sizes) - len(dims)) + list(dims)
    found = [dim if is_rest(size) else _size(size) for size, dim in zip(sizes, before, strict=True)]
    return tuple([dim for dim in found if dim is not None]) if None not in found else None


def reshaped(tensor: Tensor, sizes: list[Value]) -> Dims | None:
    """The dimensions behind a reshape. What -1 stands for is static if every size is, and not known of a tensor of
    whose sizes nothing is known."""
    if len(sizes) == 1 and type(sizes[0]) is Sequence:
        if sizes[0].items is None:
            return None
        sizes = sizes[0].items
    loose = any(map(is_rest, sizes))
    if loose and tensor.dims is None and not tensor.fixed:
        return None
    rest: Value = STATIC_INT
    if loose and tensor.dims is not None:
        whole, part = elements(tensor.dims), elements([size for size in sizes if not is_rest(size)])
        left = _left_open(whole, part) if whole is not None and part is not None else None
        if left is not None or (any(type(dim) is Sym for dim in tensor.dims) and not tensor.fixed):
            rest = of_term(left)
    dims = [rest if is_rest(size) else _size(size) for size in sizes]
    return tuple(dims) if dims and all(dim is not None for dim in dims) else None  # type: ignore[arg-type]


def _left_open(whole: Term, part: Term) -> Term | None:
    """What -1 stands for: of sizes of several tensors it is the quotient that they have."""
    if part.value is not None:
        return whole.over(part) if part.value else None
    exact, left = whole.over(part), lowest(whole, part)
    return exact if exact is not None or left is None else left[0].ratio(left[1])


def elements(dims: Iterable[Value]) -> Term | None:
    """How many numbers a tensor of these sizes has."""
    return product([term_of(dim) for dim in dims])


def _size(value: Value) -> Value | None:
    if type(value) is Const and type(value.value) is int and value.value >= 0:
        return Static("int", value.value)
    if type(value) is Static and value.type in ("", "int"):
        return value if value.number is not None and value.number >= 0 else STATIC_INT
    return value if type(value) is Sym and value.backed else None


def moved(short: str, dims: Dims, args: list[Value], keywords: dict[str, Value]) -> Dims | None:
    """The dimensions behind an operator that moves, drops or merges them; None for any other."""
    rank = len(dims)
    if short == "flatten":
        return _flattened(dims, args, keywords)
    numbers = _numbers(args, keywords)
    if numbers is None or not rank:
        return None
    if any(not -rank - 1 <= number <= rank for number in numbers):
        return None
    if short in _SWAPS and len(numbers) == 2 and all(-rank <= n < rank for n in numbers):
        order = list(dims)
        a, b = numbers
        order[a], order[b] = order[b], order[a]
        return tuple(order)
    if short in ("t", "mT") and rank >= 2 and not numbers:
        return (*dims[:-2], dims[-1], dims[-2])
    if short == "T" and rank >= 2:
        return tuple(reversed(dims))
    if short == "permute" and sorted(n % rank for n in numbers) == list(range(rank)):
        return tuple([dims[n] for n in numbers])
    if short == "unsqueeze" and len(numbers) == 1:
        place = numbers[0] % (rank + 1)
        return (*dims[:place], Static("int", 1), *dims[place:])
    return None


# A size that tells where its dimension goes.
_HERE: Final = Static("int")


def axis_behind(
    short: str, axis: int | None, rank: int | None, args: list[Value], keywords: dict[str, Value]
) -> int | None:
    """Where a dimension stands behind an operator that moves dimensions: 2 for 0 behind `transpose(0, 2)`."""
    numbers = _numbers(args, keywords)
    if axis is None or numbers is None or (rank is None and (not numbers or min(numbers) < 0)):
        return None
    count = max(axis, *numbers) + 1 if rank is None else rank
    found = moved(short, tuple([_HERE if at == axis else STATIC_INT for at in range(count)]), args, keywords)
    return next((at for at, size in enumerate(found or ()) if size is _HERE), None)


def _flattened(dims: Dims, args: list[Value], keywords: dict[str, Value]) -> Dims | None:
    """The dimensions behind `flatten(start_dim=0, end_dim=-1)`."""
    given = [*args, *[keywords.get(name) for name in ("start_dim", "end_dim")[len(args) :]]]
    bounds = [0 if position == 0 else -1 for position in range(2)]
    for position, value in enumerate(given[:2]):
        if type(value) is Const and type(value.value) is int:
            bounds[position] = value.value
        elif value is not None:
            return None
    rank = len(dims)
    if not all(-rank <= bound < rank for bound in bounds):
        return None
    first, last = (bound % rank for bound in bounds)
    inner = dims[first : last + 1]
    merged = of_term(elements(inner)) if any(type(dim) is Sym for dim in inner) else STATIC_INT
    one = dims[first] if first == last else merged
    return (*dims[:first], one, *dims[last + 1 :])


def _numbers(args: list[Value], keywords: dict[str, Value]) -> list[int] | None:
    """The plain numbers that an operator is given for dimensions; None where one of them is none."""
    named = [keywords[key] for key in ("dim", "axis", "dims") if key in keywords]
    if set(keywords) - {"dim", "axis", "dims", "dtype"}:
        return None
    values = [*args, *named]
    if len(values) == 1 and type(values[0]) is Sequence:
        if values[0].items is None:
            return None
        values = values[0].items
    numbers = [value.value for value in values if type(value) is Const and type(value.value) is int]
    return numbers if len(numbers) == len(values) else None


def _cut(size: Value, part: Sequence, sizes: Mapping[str, int]) -> Value:
    """The size behind `[start:stop:step]`. Where a bound lies for sure, or in the example, there export takes it to lie."""
    unknown = COMPUTED if any(type(value) is Sym for value in (size, *(part.items or ()))) else STATIC_INT
    whole = term_of(size)
    bounds = [None if type(bound) is Const and bound.value is None else bound for bound in part.items or ()]
    if len(bounds) != 3 or whole is None:
        return unknown
    if part.count is not None and type(bounds[0]) is Static and bounds[0].number is None:
        return Static("int", 1)  # from one element on to the next, wherever that is
    start, stop = (None if bound is None else _bound(bound, whole, sizes) for bound in bounds[:2])
    step = 1 if bounds[2] is None else number_of(bounds[2])
    if (
        step is None
        or step < 1
        or any(b is not None and t is None for b, t in zip(bounds, (start, stop), strict=False))
    ):
        return unknown
    left = (whole if stop is None else stop) - (start or Term())
    if not never_below(left, 0):
        seen = left.at(sizes)
        if seen is None or seen < 0:
            return unknown
    return of_term(left if step == 1 else (left + Term.number(step - 1)).quotient(step), size)


def _bound(bound: Value, whole: Term, sizes: Mapping[str, int]) -> Term | None:
    """Where a bound of a slice lies, within what there is."""
    term = term_of(bound)
    if term is None:
        return None
    if never_below(Term() - term, 1):
        term = whole + term  # it is negative: counted from the end
    if not never_below(term, 0):
        seen = term.at(sizes)
        if seen is None:
            return None
        term = term if seen >= 0 else Term()
    if never_below(whole - term, 0):
        return term
    seen, most = term.at(sizes), whole.at(sizes)
    if seen is None or most is None:
        return None
    return term if seen <= most else whole


def picked(dims: Dims, parts: list[Value], sizes: Mapping[str, int]) -> Dims | None:
    """The dimensions of `tensor[parts]` where some of them are tensors of indices: what these have together stands where they
    stand, and in front if something stands between them."""
    rank, made = len(dims), sum(_is(part, None) for part in parts)
    dots = next((at for at, part in enumerate(parts) if _is(part, ...)), None)
    filling: list[Value] = [_WHOLE] * (rank - (len(parts) - made - (dots is not None)))
    every = [*parts, *filling] if dots is None else [*parts[:dots], *filling, *parts[dots + 1 :]]
    found = [at for at, part in enumerate(every) if _picks(part)]
    together = _together([part for part in every if type(part) is Tensor])
    if together is None or sum(not _is(part, None) for part in every) != rank:
        return None
    # A tensor of indices drops a dimension, as a number does.
    left = indexed(dims, [Const(0) if _picks(part) else part for part in every], sizes)
    if left is None:
        return None
    adjacent = found == [*range(found[0], found[-1] + 1)]
    front = found[0] if adjacent else 0
    return (*left[:front], *together, *left[front:])


def _is(part: Value, constant: object) -> bool:
    return type(part) is Const and part.value is constant


def _picks(part: Value) -> bool:
    """Whether a part of an index takes single elements of a dimension."""
    return type(part) in (Tensor, Static, Sym) or (type(part) is Const and type(part.value) is int)


def _together(indices: list[Tensor]) -> Dims | None:
    """The dimensions that tensors of indices have together; None where they are not known, or one may be a mask."""
    shapes = [index.dims for index in indices if index.dims is not None and _holds_integers(index)]
    if len(shapes) < len(indices) or not shapes:
        return None
    longest = max(shapes, key=len)
    columns = [[shape[-1 - at] for shape in shapes if at < len(shape)] for at in range(len(longest))]
    return tuple([next((size for size in column if number_of(size) != 1), column[0]) for column in reversed(columns)])


def _holds_integers(index: Tensor) -> bool:
    dtype = example_dtype(index.dtype)
    return isinstance(dtype, str) and dtype.startswith(("int", "uint")) and not index.unbacked


def indexed(dims: Dims, parts: list[Value], sizes: Mapping[str, int]) -> Dims | None:
    """The dimensions of `tensor[parts]`, for numbers, None, `...` and slices; `sizes` are those of the example."""
    taken = sum(not (type(part) is Const and part.value in (None, ...)) for part in parts)
    if taken > len(dims):
        return None
    result: list[Value] = []
    place = 0
    for number, part in enumerate(parts):
        if type(part) is Const and part.value is ...:
            end = place + len(dims) - taken
            if any(type(later) is Const and later.value is ... for later in parts[number + 1 :]):
                return None
            result += dims[place:end]
            place = end
        elif type(part) is Const and part.value is None:
            result.append(Static("int", 1))
        elif type(part) is Sequence and part.type == "slice":
            whole = all(type(bound) is Const and bound.value is None for bound in part.items or [part])
            size = dims[place]
            result.append(size if whole else _cut(size, part, sizes))
            place += 1
        elif type(part) in (Const, Static, Sym):
            place += 1
        else:
            return None
    return (*result, *dims[place:])
