"""What a fix must know of a value before it may move it into another function: dtype, shape, whose storage it is.

`torch.cond` demands that both branches return equal dtypes, shapes and strides, and nothing that shares storage with
an operand, a closure or another output (measured on torch 2.13: it raises otherwise, in eager too). A signature
says what can be proven of that. The interpreter's values are asked first; what they leave open follows from the
shape of the code: `x.sin()` and `x * 2` are alike whatever `x` is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules import lattice
from exportdb_rules.interpreter.shape_tokens import parts_of, row_of, together
from exportdb_rules.operator_table import WHOLE, example_dtype
from exportdb_rules.torch_api import CASTS

if TYPE_CHECKING:
    from collections.abc import Hashable

    from exportdb_rules import values as domain


# The dtype of parameters, of `torch.zeros(…)` and, for want of evidence to the contrary, of inputs.
DEFAULT_FLOAT: Final = "float"
SCALAR: Final = ("dims", ())
INTEGERS: Final = frozenset(("uint8", "int8", "int16", "int32", "int64"))


@dataclass(frozen=True, slots=True)
class AttributeShape:
    """The shape of an attribute of the module; `sizes` where they are known in numbers."""

    name: str
    sizes: tuple[int, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Sliced:
    """The shape of some neighbouring rows of a tensor, for the example inputs; `code` is the source of it. How many rows
    there are elsewhere is not known: it may be one."""

    sizes: tuple[int, ...]
    code: str


@dataclass(frozen=True, slots=True)
class TensorSignature:
    """A tensor. `dtype` and `shape` are equal for tensors that are sure to agree; None is not known.

    `storages` names those that it may share: names and attributes of the function, or fresh ones ('#3'). `maybe_noncontiguous`
    says that its strides need not be those of a contiguous tensor. `observed` is the interpreter's own tokens for
    dtype and shape, which assume nothing; `value` is the value that it has of it.
    """

    dtype: Hashable
    shape: Hashable
    storages: frozenset[str]
    maybe_noncontiguous: bool = False
    observed: tuple[Hashable, Hashable] | None = None
    value: domain.Value | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    """A Python number or a SymInt, SymFloat, SymBool; `code` tells equal ones apart where it is a literal. `size` is the
    whole number that it is for the example inputs, where they say."""

    code: str = ""
    floating: bool = False
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple or list of known length, or a dict whose keys are written out; `kind` says which: `tuple`, `list`, `dict` with
    the code of the keys, or the class that torch gives (`torch.return_types.max`)."""

    kind: str
    items: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Anything else; `code` is its source where that determines it (a literal), else ''."""

    code: str = ""


@dataclass(frozen=True, slots=True)
class Dtype:
    """A dtype, as `x.dtype` and `torch.int64` give it."""

    dtype: Hashable


@dataclass(frozen=True, slots=True)
class Optional:
    """None, or something else: what a loop finds first, and what it has then."""

    item: Signature


Signature = TensorSignature | Number | Items | Other | Dtype | Optional
UNKNOWN: Final = Other()
NOTHING: Final = Other("None")
MODULE: Final = Other("a module")


def normal(dtype: Hashable) -> Hashable:
    """The dtype as signatures write it: float32 is the default float.

    A token that is not a name stands for the dtype of an input, or for what follows from it: taken to be that of the
    example, or else floating.
    """
    dtype = cast("Hashable", example_dtype(dtype))
    if isinstance(dtype, tuple) and dtype[:1] == ("sum",):
        summed = cast("Hashable", example_dtype(cast("object", dtype[1])))
        return "int64" if summed in WHOLE else normal(summed)
    if isinstance(dtype, tuple) or dtype in ("float32", "default"):
        return DEFAULT_FLOAT
    return dtype


def floating(dtype: Hashable) -> bool:
    """Whether the dtype can be taken to be a floating one: no integer, no bool."""
    return dtype not in INTEGERS and dtype != "bool"


def broadcast_shapes(a: Hashable, b: Hashable) -> Hashable:
    """The shape that two shapes are broadcast to."""
    if a is None or b is None:
        return None
    if a == b or b == SCALAR:
        return a
    if a == SCALAR:
        return b
    sizes = _sizes(a), _sizes(b)
    if sizes[0] is not None and sizes[1] is not None:
        return _broadcast_sizes(sizes[0], sizes[1])
    for one, other in ((a, b), (b, a)):
        # A statistic of a tensor fits it, and a parameter or a buffer fits the activations that meet it.
        if reduced_from(other) is not None and one in (reduced_from(other), reduced_from(reduced_from(other))):
            return one
        if isinstance(other, AttributeShape) and not isinstance(one, AttributeShape):
            return one
    return together([a, b])


def reduced_from(shape: Hashable) -> Hashable:
    """The shape of what a statistic is of; None for any other shape."""
    return (
        cast("Hashable", shape[1])
        if isinstance(shape, tuple) and shape[:1] in (("reduced",), ("row",), ("picked",))
        else None
    )


def _sizes(shape: Hashable) -> tuple[int, ...] | None:
    """The sizes of a shape that is known in numbers: `('sizes', (3, 2))`."""
    if isinstance(shape, (AttributeShape, Sliced)):
        return shape.sizes
    parts = cast("tuple[Any, ...]", shape) if isinstance(shape, tuple) else ()
    return parts[1] if len(parts) == 2 and parts[0] == "sizes" else None


def sized(sizes: tuple[int, ...]) -> Hashable:
    """The shape that has these sizes."""
    return ("sizes", sizes) if sizes else SCALAR


def numeric(shape: Hashable) -> tuple[int, ...] | None:
    """The sizes of a shape, where they follow from sizes that are known in numbers."""
    unpicked = _unpicked(shape)
    if unpicked != shape and isinstance(unpicked, tuple):
        rows = _sizes(cast("Hashable", unpicked[1]))
        return rows[1:] if rows else None
    return () if shape == SCALAR else _sizes(shape)


def whole(known: Signature) -> int | None:
    """The whole number that a value is; None where it is not known."""
    return known.size if isinstance(known, Number) else None


def row_shape(shape: Hashable) -> Hashable:
    """The shape of one row of a tensor."""
    sizes = _sizes(shape)
    if sizes is not None:
        return sized(sizes[1:]) if sizes else None
    return row_of(shape)


def _broadcast_sizes(a: tuple[int, ...], b: tuple[int, ...]) -> Hashable:
    length = max(len(a), len(b))
    pairs = list(zip((1,) * (length - len(a)) + a, (1,) * (length - len(b)) + b, strict=True))
    fits = all(one == two or 1 in (one, two) for one, two in pairs)
    return sized(tuple([two if one == 1 else one for one, two in pairs])) if fits else None


def agree(a: Signature, b: Signature, *, presume: bool = False) -> bool:
    """Whether both have one tree, dtype and shape: what `torch.cond` asks of its branches.

    They are sure to; with `presume` it is enough that one is what broadcasting made of the other and something else.
    `x + mask` nearly always has the shape of x, and where it has not, torch.cond says so.
    """
    if isinstance(a, TensorSignature) and isinstance(b, TensorSignature):
        if a.dtype is None or a.dtype != b.dtype:
            return False
        if a.shape is not None and _unpicked(a.shape) == _unpicked(b.shape):
            return True
        if ({a.shape, _told_shape(a)} & {b.shape, _told_shape(b)}) - {None}:
            return True
        if numeric(a.shape) is not None and numeric(a.shape) == numeric(b.shape):
            return True
        return presume and a.shape is not None and b.shape is not None and bool(parts_of(a.shape) & parts_of(b.shape))
    if isinstance(a, Items) and isinstance(b, Items):
        return (
            a.kind == b.kind
            and len(a.items) == len(b.items)
            and all(agree(x, y, presume=presume) for x, y in zip(a.items, b.items, strict=True))
        )
    return False


def may_agree(a: Signature, b: Signature) -> bool:
    """Whether two tensors of one dtype have the shapes of different inputs, which whoever calls may make the same."""
    if (
        not isinstance(a, TensorSignature)
        or not isinstance(b, TensorSignature)
        or a.dtype is None
        or a.dtype != b.dtype
    ):
        return False
    ours, theirs = parts_of(a.shape), parts_of(b.shape)
    return not ours & theirs and all(map(_of_input, ours | theirs))


def _of_input(shape: Hashable) -> bool:
    return isinstance(shape, tuple) and cast("tuple[Any, ...]", shape)[:1] == ("arg",)


def _unpicked(shape: Hashable) -> Hashable:
    """A shape in which it makes no difference how many rows were picked: they were reduced to one."""
    match cast("Any", shape):
        case ("reduced", ("picked", whole, _), 0):
            return ("reduced", cast("Hashable", whole), 0)
        case _:
            return shape


def _told_shape(signature: TensorSignature) -> Hashable:
    """The interpreter's token for the shape; None if it has none."""
    return None if signature.observed is None else signature.observed[1]


def certain(a: Signature, b: Signature) -> bool:
    """Whether two tensors agree without any assumption about the inputs."""
    if (
        not isinstance(a, TensorSignature)
        or not isinstance(b, TensorSignature)
        or a.observed is None
        or b.observed is None
    ):
        return False
    return None not in a.observed and a.observed == b.observed


def join(a: Signature, b: Signature) -> Signature:
    """What holds of a value that is the one or the other."""
    if a == b:
        return a
    if NOTHING in (a, b) or isinstance(a, Optional) or isinstance(b, Optional):
        found = [not_none(s) for s in (a, b) if s != NOTHING]
        merged = join(*found) if len(found) == 2 else found[0]
        return Optional(merged) if merged != UNKNOWN else UNKNOWN
    if isinstance(a, TensorSignature) and isinstance(b, TensorSignature):
        return TensorSignature(
            a.dtype if a.dtype == b.dtype else None,
            a.shape if a.shape == b.shape else None,
            a.storages | b.storages,
            a.maybe_noncontiguous or b.maybe_noncontiguous,
            a.observed if a.observed == b.observed else None,
            None if a.value is None or b.value is None else lattice.join(a.value, b.value),
        )
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(floating=a.floating or b.floating, size=a.size if a.size == b.size else None)
    if isinstance(a, Items) and isinstance(b, Items) and a.kind == b.kind and len(a.items) == len(b.items):
        return Items(a.kind, tuple([join(x, y) for x, y in zip(a.items, b.items, strict=True)]))
    return UNKNOWN


def not_none(signature: Signature) -> Signature:
    """What a value is where it is not None."""
    return signature.item if isinstance(signature, Optional) else signature


def leaves(signature: Signature) -> list[Signature]:
    """The values at the ends of a tree of tuples and lists."""
    if isinstance(signature, Items):
        return [leaf for item in signature.items for leaf in leaves(item)]
    return [signature]


def storages(signature: Signature) -> frozenset[str]:
    """The storages that the tensors in a value may share."""
    parts = leaves(not_none(signature))
    return frozenset[str]().union(*(part.storages for part in parts if isinstance(part, TensorSignature)))


def kinds(signature: Signature) -> list[str]:
    """The kinds of the tuples, lists and dicts in a tree."""
    if isinstance(signature, Items):
        return [signature.kind, *(kind for item in signature.items for kind in kinds(item))]
    return []


def spelled_dtype(name: str) -> Hashable:
    """The dtype that `torch.<name>` is, as signatures write it; None if it is none."""
    known = CASTS.get(name, name)
    return normal(known) if known in _DTYPES else None


_DTYPES: Final = INTEGERS | {DEFAULT_FLOAT, "bool", "float16", "bfloat16", "float32", "float64"}
