"""Numbers and arrays that numpy made before tracing began, and what traced code does with them.

Strict export takes every numpy value that it finds outside of the traced code for an input, makes a tensor of it, and
forgets to give it to the graph: what is computed from it has no value (measured: the cases of EDB210).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from exportdb_rules.facts import NumpyKept
from exportdb_rules.lattice import Sequence, choices
from exportdb_rules.values import KEPT, KEPT_ARRAY, KEPT_FLOAT, KEPT_INT, KEPT_NUMBER, STATIC, Const, Static, Union

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.values import Value

# What `numpy.finfo` gives: its attributes are numpy's numbers. (Those of `iinfo` are Python's.)
LIMITS: Final = Static("numpy limits")
# Functions of numpy that give something else than numpy's numbers and arrays.
_PLAIN: Final = frozenset(
    "shape ndim size isscalar iscomplexobj isrealobj iterable issubdtype dtype iinfo can_cast result_type allclose "
    "promote_types array_equal array_equiv load save savez savetxt errstate seterr printoptions set_printoptions "
    "array2string array_repr vectorize frompyfunc nditer ndenumerate ndindex broadcast_shapes may_share_memory "
    "unravel_index where nonzero meshgrid ix_ mgrid ogrid split array_split hsplit vsplit dsplit testing memmap".split()
)
# Functions of numbers that give a number.
_OF_NUMBERS: Final = frozenset(
    "sqrt cbrt square exp exp2 expm1 log log2 log10 log1p power float_power sin cos tan arcsin arccos arctan arctan2 sinh "
    "cosh tanh add subtract multiply divide true_divide floor_divide mod remainder floor ceil rint trunc abs absolute fabs "
    "sign maximum minimum hypot lcm gcd deg2rad rad2deg degrees radians reciprocal negative "
    "float16 float32 float64 int8 int16 int32 int64 uint8".split()
)
# Functions that give an array, whatever they are given; and those that do of a list or an array.
_ARRAYS: Final = frozenset(
    "arange linspace logspace geomspace zeros ones empty full eye identity diag tri tril triu stack vstack hstack concatenate tile "
    "repeat hanning hamming blackman bartlett kaiser".split()
)
_OF_ARRAYS: Final = frozenset("array asarray ascontiguousarray cumsum cumprod".split()) | (
    _OF_NUMBERS & frozenset("sqrt exp log sin cos tanh abs power".split())
)
# Parts of numpy whose functions give arrays; those of them that give a number, and those of which nothing is said.
_OF_PARTS: Final = ("numpy.linalg.", "numpy.fft.")
_NUMBERS: Final = frozenset({"norm", "det", "cond"})
_SEVERAL: Final = frozenset("slogdet matrix_rank matrix_norm vector_norm eig eigh qr svd lstsq LinAlgError".split())
# Functions of lists, too, that give a number unless they are told an axis.
_OF_LISTS: Final = frozenset("prod sum mean std var median max min amax amin argmax argmin".split())


def made(name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """What a function of numpy gives for values that are fixed before tracing."""
    short = name.rpartition(".")[2]
    if short == "finfo":
        return LIMITS
    first = args[0] if args else None
    if short in _ARRAYS or (short in _OF_ARRAYS and (first is KEPT_ARRAY or type(first) is Sequence)):
        return KEPT_ARRAY
    if name.startswith(_OF_PARTS) and short not in _SEVERAL:
        return KEPT_ARRAY if short not in _NUMBERS else KEPT if len(args) > 1 or keywords else KEPT_NUMBER
    if short in _PLAIN or name.count(".") > 1:
        return STATIC
    if (
        not keywords
        and args
        and short in _OF_NUMBERS
        and all(_is_number(a) or (type(a) is Static and not a.type) for a in args)
    ):
        return KEPT_NUMBER  # of what nothing is known, a number is meant
    return KEPT_NUMBER if short in _OF_LISTS and len(args) == 1 and not keywords and _are_numbers(args[0]) else KEPT


def is_kept(value: Value) -> bool:
    """Whether numpy made one of the alternatives of a value before tracing."""
    # Asked of every operand of every call: nearly all are told by their type.
    kind = type(value)
    if kind is Static:
        return value is KEPT or value is KEPT_NUMBER or value is KEPT_ARRAY
    return kind is Union and any(map(is_kept, choices(value)))


def is_kept_or_read(value: Value) -> bool:
    """Whether numpy made a value before tracing, or traced code read it from one that numpy made."""
    return value is KEPT_INT or value is KEPT_FLOAT or is_kept(value)


def holds_kept(value: Value) -> bool:
    """Whether a value, or an element of it, is one that numpy made before tracing."""
    if is_kept(value):
        return True
    return any(
        type(choice) is Sequence and any(map(is_kept, choice.items if choice.items is not None else [choice.any()]))
        for choice in choices(value)
    )


def ask_kept(frame: Frame, node: ast.AST, form: Literal["branch", "range", "use"], *asked: Value) -> None:
    """Tell that traced code uses these values, where one of them is numpy's; or was read from one, where it has to be known."""
    if frame.traced and any(map(is_kept if form == "use" else is_kept_or_read, asked)):
        number = all(choice is not KEPT and choice is not KEPT_ARRAY for value in asked for choice in choices(value))
        used = "number" if number else "array"
        frame.emit(NumpyKept(frame.site(node), used if form == "use" else form))


def computed(*operands: Value) -> Value:
    """What arithmetic with one of numpy's values and plain ones gives: numpy's again."""
    if all(_is_number(operand) for operand in operands):
        return KEPT_NUMBER
    return KEPT_ARRAY if KEPT_ARRAY in operands else KEPT


def _is_number(value: Value) -> bool:
    return value is KEPT_NUMBER or (
        (type(value) is Const and isinstance(value.value, (int, float)))
        or (type(value) is Static and value.type in ("int", "float", "bool"))
    )


def _are_numbers(value: Value) -> bool:
    if type(value) is Sequence:
        return all(map(_is_number, value.items)) if value.items is not None else _is_number(value.any())
    return _is_number(value)
