"""What the result of an operator has of its own: its dtype, its shape, its order in memory."""

from __future__ import annotations

from typing import Final

from exportdb_rules.interpreter.dimensions import NORMS, REDUCTIONS, as_large_as, axis_behind, is_rest
from exportdb_rules.interpreter.iteration import lies_in_order
from exportdb_rules.interpreter.operators import elementwise, promoted
from exportdb_rules.interpreter.size_arguments import FROM_NUMBERS
from exportdb_rules.lattice import Sequence, choices, is_none, tensors
from exportdb_rules.operator_table import WHOLE, is_float, operator
from exportdb_rules.torch_api import CASTS, PERMUTING, RESHAPING, Api
from exportdb_rules.values import MAX_MOVES, NONE, Const, External, Static, Sym, Tensor, Value, may_count_back

# Operators that give values and, beside them, where these stood.
# Two reductions at once; and reductions whose second argument is a number that is no dimension, where it is a number.
_PAIRS: Final = frozenset(("aminmax", "std_mean", "var_mean"))
_WITH_NUMBER: Final = NORMS | {"quantile", "nanquantile"}
_WITH_INDICES = frozenset({"max", "min", "topk", "sort", "kthvalue", "median", "mode"})
# What makes floats of the default dtype.
_OF_DEFAULT_FLOATS: Final = frozenset(
    f"torch.{name}" for name in ("zeros", "ones", "empty", "rand", "randn", "eye", "linspace", "logspace")
)
# Operators behind which the data-dependent size need not stand first any more.
_MOVING = frozenset(
    "transpose permute t movedim moveaxis swapaxes swapdims unsqueeze unflatten view reshape flatten stack expand unfold T mT "
    "repeat tile einsum bmm matmul mm".split()
)
# Views of the same numbers, of the same dtype.
_SAME_NUMBERS = PERMUTING | frozenset(
    "broadcast_to diagonal expand expand_as flatten narrow ravel reshape reshape_as select squeeze unflatten unfold unsqueeze "
    "view_as".split()
)
# They leave the order of the numbers as it is, and copy where that is not the order in memory.
_REGROUPING = frozenset(
    "view view_as reshape reshape_as ravel flatten unflatten squeeze unsqueeze detach contiguous".split()
)
# Operators whose result is laid out anew, whatever the order in memory of what they were given.
_CONTIGUOUS = frozenset(
    "contiguous matmul bmm mm einsum baddbmm addmm linear cat concat stack embedding index_select gather flatten".split()
)


def infer_meta(
    result: Value, name: str, short: str, api: Api, args: list[Value], keywords: dict[str, Value], inputs: list[Tensor]
) -> None:
    """dtype, shape and storage of a result, where the operator tells."""
    if type(result) is Sequence and inputs:
        _describe_parts(result, short, api, args, keywords, inputs[0])
    if type(result) is not Tensor:
        return
    if result.unbacked and short == "flatten":
        # Dimensions are merged, none is moved: of all of them, one is left.
        result.axis = 0 if result.axis == 0 or _merges_all(args[1:], keywords) else None
        result.rank = 1 if _merges_all(args[1:], keywords) else None
    elif result.unbacked and short in _MOVING:
        rank = inputs[0].known_rank if inputs else None
        result.axis = _axis_of_data(short, result.axis, rank, args[1:], keywords)
    if short in PERMUTING:
        result.moves = min(MAX_MOVES, result.moves + 1)
    elif short in _CONTIGUOUS or (short == "reshape" and result.moves == 1):
        # A reshape of a tensor that was transposed once merges what the transpose took apart: it has to copy.
        result.moves = 0
    first = inputs[0] if inputs else None
    if first is not None and short in _REGROUPING:
        copied = short == "contiguous" or first.moves > 0
        result.ordered = not result.moves and (copied or lies_in_order(first))
    plain = short.rstrip("_") if short.endswith("_") and not short.endswith("__") else short
    row = operator(plain)
    dtype = keywords.get("dtype")
    if first is not None:
        if api.view or short == "requires_grad_":
            result.origin, result.alias = first.origin, True
            result.place = _place(short, [*args[1:], *keywords.values()]) or first.place
        if plain in _SAME_NUMBERS or (plain == "view" and not any(type(a) is External for a in args[1:])):
            result.dtype = first.dtype
        if api.writes and short.endswith("_"):
            result.origin, result.alias = first.origin, True
            if short not in RESHAPING:
                as_large_as(result, first)
            result.dtype = first.dtype
        elif row.shape == "scalar" and reduces(keywords.get("reduction")) and not any(_is_text(a) for a in args):
            _drop_dimensions(result)
            result.dtype = row.result_dtype(first.dtype) if row.dtype in ("kept", "float", "summed") else None
        elif row.shape == "same" and row.dtype:
            as_large_as(result, first)
            result.dtype = row.result_dtype(first.dtype)
            if plain.startswith(("index_", "scatter")):
                result.unbacked, result.site, result.axis = first.unbacked, first.site, first.axis
        elif plain in CASTS and name.startswith("Tensor."):
            as_large_as(result, first)
            result.dtype = CASTS[plain]
        elif plain in ("to", "type", "type_as", "cpu", "cuda"):
            as_large_as(result, first)
            result.dtype = first.dtype if plain in ("cpu", "cuda") else _given_dtype(args[1:], keywords)
            if plain in ("to", "type_as") and len(inputs) > 1:
                result.dtype = inputs[1].dtype
        elif plain == "unsqueeze":
            result.rank = None if first.rank is None else first.rank + 1
        elif plain in _TRANSFORMS:
            result.rank = first.rank
        elif plain in PERMUTING:
            result.rank = first.rank if plain != "permute" else _count(args[1:]) or first.rank
        elif api.pointwise and plain not in ("where", "max", "min", "any", "all"):
            others = [a for a in args if type(a) in (Const, Static, Sym)]
            broadcast = elementwise(inputs, others)
            as_large_as(result, broadcast)
            result.dtype = broadcast.dtype
            if row.dtype == "divided" and "rounding_mode" not in keywords and not is_float(broadcast.dtype):
                result.dtype = None if broadcast.dtype is None else ("true_divide", broadcast.dtype)
        elif plain == "where" and len(args) > 2:
            sides = [args[0 if name.startswith("Tensor.") else 1], args[2]]
            chosen = [side for side in sides if type(side) is Tensor]
            numbers = [side for side in sides if type(side) in (Const, Static, Sym)]
            result.dtype = elementwise(chosen, numbers).dtype if chosen and len(chosen) + len(numbers) == 2 else None
            if result.shape is None:
                as_large_as(result, elementwise(inputs, []))
        elif plain == "einsum" and _is_text(args[0]):
            _letter(result, str(args[0].value))  # type: ignore[attr-defined]
        elif plain in REDUCTIONS or plain in ("max", "min", "quantile", "nanquantile"):
            _reduce(result, plain, first, args, keywords)
    if result.dtype is None and short.startswith("new_") and first is not None:
        result.dtype = first.dtype
    elif result.dtype is None and row.dtype in ("kept", "promoted", "float") and row.fresh and first is not None:
        result.dtype = row.result_dtype(first.dtype) if len({t.dtype for t in inputs}) == 1 else promoted(inputs)
    elif short == "full" and len(args) > 1:
        result.dtype = _filled_with(args[1])
    if row.dtype in ("bool", "int64"):
        result.dtype = row.dtype
    elif row.dtype == "summed" and first is not None and first.dtype in WHOLE:
        result.dtype = "int64"
    elif name in _OF_DEFAULT_FLOATS and dtype is None:
        result.dtype = "default"
    elif name == "torch.arange" and dtype is None and all(_is_int(a) for a in args):
        result.dtype = "int64"
    elif name in FROM_NUMBERS and dtype is None and args and type(args[0]) in (Const, Static):
        result.dtype = _filled_with(args[0])
    elif name in FROM_NUMBERS and dtype is None and args and type(args[0]) is Sequence:
        kinds = _kinds(args[0])
        result.dtype = next((known for kind, known in _OF_NUMBERS if kind in kinds <= {"bool", "int", "float"}), None)
    if dtype is not None:
        result.dtype = _given_dtype([dtype], {})


def _describe_parts(
    result: Sequence, short: str, api: Api, args: list[Value], keywords: dict[str, Value], first: Tensor
) -> None:
    """dtype, number of dimensions and storage of the tensors that an operator gives several of."""
    rank = first.known_rank
    if rank and short not in _KEEPING_DIMENSIONS:
        gone = short in _TAKING_ONE and _dimension_taken(args, keywords) is not None
        rank = rank - 1 if gone else None
    parts = result.items if result.items is not None else ([result.element] if result.element is not None else [])
    for number, part in enumerate(parts):
        if type(part) is Tensor:
            if api.view:
                part.origin, part.alias = first.origin, True
            if part.rank is None and not part.unbacked:
                part.rank = rank
            if short in _PAIRS and not {"dim", "axis", "correction"} & keywords.keys() and len(args) < 2:
                _drop_dimensions(part)
            part.dtype = "int64" if number == 1 and len(parts) == 2 and short in _WITH_INDICES else first.dtype


def _filled_with(value: Value) -> str | None:
    """The dtype that a tensor made of a Python number has."""
    kind = type(value.value).__name__ if isinstance(value, Const) else getattr(value, "type", "")
    return {"bool": "bool", "int": "int64", "float": "default"}.get(kind)


def reduces(reduction: Value | None) -> bool:
    """Whether a loss is one number, by its argument `reduction`."""
    return reduction is None or (type(reduction) is Const and reduction.value in ("mean", "sum", "batchmean"))


def _is_text(value: Value) -> bool:
    return type(value) is Const and isinstance(value.value, str)


def _drop_dimensions(result: Tensor) -> None:
    result.shape, result.rank, result.dims = ("dims", ()), 0, ()
    result.unbacked, result.site = False, None


def _letter(result: Tensor, equation: str) -> None:
    """How many dimensions an equation of `einsum` leaves, where it says so."""
    _, arrow, letters = equation.replace(" ", "").partition("->")
    if arrow and "." not in letters:
        result.rank = len(letters)
        if not letters:
            _drop_dimensions(result)


def _reduce(result: Tensor, plain: str, first: Tensor, args: list[Value], keywords: dict[str, Value]) -> None:
    """Shape and dtype of a reduction: of all numbers, or along one dimension."""
    whole = len(args) == 1 or (plain in _WITH_NUMBER and len(args) == 2 and not tensors(args[1]))
    if whole and not any(k in keywords for k in ("dim", "axis", "keepdim")):
        _drop_dimensions(result)
    elif plain not in _WITH_NUMBER and (taken := _dimension_taken(args, keywords)) is not None:
        if first.shape is not None:
            result.shape = ("reduced", first.shape, taken)
            result.rank = first.rank - 1 if first.rank else None
        if result.unbacked and first.dims and -len(first.dims) <= taken < len(first.dims):
            left = [size for axis, size in enumerate(first.dims) if axis != taken % len(first.dims)]
            if not any(type(size) is Sym and not size.backed for size in left):
                # The size that data decides is gone.
                result.unbacked, result.site = False, None
                result.dims, result.rank = tuple(left), len(left)
        elif result.unbacked and first.dims is None and first.axis == taken == 0:
            result.unbacked, result.site = False, None  # the same, of a tensor whose other sizes are not known
    summed = plain in ("sum", "prod")
    if plain in ("max", "min", "amax", "amin", "median") or (summed and is_float(first.dtype)):
        result.dtype = first.dtype
    else:
        result.dtype = ("sum" if summed else "float", first.dtype)


# The dtype of a tensor made of numbers: of floats if there is one, of truths if there is nothing else.
_OF_NUMBERS: Final = (("float", "default"), ("int", "int64"), ("bool", "bool"))


def _kinds(value: Value) -> set[str]:
    """The types of what a list holds, perhaps in lists; "" is one that is not known."""
    if type(value) is Const:
        return {type(value.value).__name__}
    if type(value) in (Static, Sym):
        return {value.type}  # type: ignore[attr-defined]
    if type(value) is Sequence and value.items is not None:
        return {kind for item in value.items for kind in _kinds(item)}
    kinds = [
        _kinds(choice) for choice in choices(value.any() if type(value) is Sequence else value) if choice is not value
    ]
    # Of several it is not known whether there is one of each.
    return kinds[0] if kinds and all(kind == kinds[0] for kind in kinds) else {""}


_TAKING_ONE: Final = _PAIRS | {"max", "min", "median", "mode"}
# What gives several tensors of as many dimensions as it is given.
_KEEPING_DIMENSIONS: Final = frozenset("topk sort cummax cummin split chunk".split())
_TRANSFORMS: Final = frozenset("fft ifft rfft irfft hfft ihfft".split())
# Operators along the last dimension, unless another is named.
_LAST_BY_DEFAULT: Final = _TRANSFORMS | {"diff", "trapz", "trapezoid"}


# Operators whose dimension stands next to the tensor.
_NEXT_TO_TENSOR: Final = frozenset({"unbind", "narrow"})


def axis_along(short: str, tensor: Tensor, args: list[Value], keywords: dict[str, Value]) -> int | None:
    """The dimension that an operator cuts, or moves along: 0 of `chunk(2)` and of `roll(1, 0)`; None where it is not known, or
    where the result is as long as the arguments say."""
    second, rank = args[1] if len(args) > 1 else NONE, tensor.known_rank
    if short in _TRANSFORMS and not is_none(keywords.get("n", second)):
        return None
    if short == "vsplit":
        return 0 if type(second) is Const else None
    dim = keywords.get("dim", keywords.get("dims"))
    if dim is None:
        if short in _NEXT_TO_TENSOR:
            dim = second if len(args) > 1 else None
        else:
            dim = args[-1] if len(args) > 2 else None  # it stands last
    if dim is None:
        return 0 if short not in _LAST_BY_DEFAULT or rank is None else rank - 1
    if type(dim) is not Const or type(dim.value) is not int:
        return None
    return dim.value if dim.value >= 0 else None if rank is None else dim.value + rank


def _dimension_taken(args: list[Value], keywords: dict[str, Value]) -> int | None:
    """The one dimension that a reduction takes away, where that is known."""
    dim = args[1] if len(args) > 1 else keywords.get("dim", keywords.get("axis"))
    known = type(dim) is Const and type(dim.value) is int and len(args) < 3 and "keepdim" not in keywords
    return dim.value if known else None  # type: ignore[union-attr]


def _is_int(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, int)
    return isinstance(value, (Static, Sym)) and value.type == "int"


def _given_dtype(args: list[Value], keywords: dict[str, Value]) -> object:
    for value in (*args, *keywords.values()):
        if type(value) is External and value.name.startswith("torch."):
            short = value.name.removeprefix("torch.")
            return value.token or CASTS.get(short, short)
        if type(value) is External and value.name in ("builtins.bool", "builtins.int", "builtins.float"):
            return {"bool": "bool", "int": "int64", "float": "float64"}[value.name.removeprefix("builtins.")]
    return None


def _place(short: str, given: list[Value]) -> Sym | None:
    """The number from data that says where a view lies: `x.narrow(1, n, 2)`, `x.select(0, n)`."""
    numbers = given if short in ("narrow", "select") else []
    return next(filter(may_count_back, numbers), None)


def _axis_of_data(
    short: str, axis: int | None, rank: int | None, args: list[Value], keywords: dict[str, Value]
) -> int | None:
    """Where the size that depends on data stands behind an operator that moves dimensions, or gives them other sizes."""
    numbers = args[0].items if len(args) == 1 and type(args[0]) is Sequence and args[0].items is not None else args
    if short in ("view", "reshape"):
        from_data = [at for at, size in enumerate(numbers) if type(size) is Sym and not size.backed]
        rest = [at for at, size in enumerate(numbers) if is_rest(size)]
        return (from_data or rest)[0] if len(from_data or rest) == 1 else None
    return axis_behind(short, axis, rank, args, keywords)


def _count(numbers: list[Value]) -> int | None:
    """How many dimensions a `permute` names."""
    if len(numbers) == 1 and type(numbers[0]) is Sequence:
        return None if numbers[0].items is None else len(numbers[0].items)
    return len(numbers) or None


def _merges_all(args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether a `flatten` leaves one dimension."""
    start = args[0] if args else keywords.get("start_dim", Const(0))
    end = args[1] if len(args) > 1 else keywords.get("end_dim", Const(-1))
    return type(start) is Const and start.value == 0 and type(end) is Const and end.value == -1
