"""Inputs that are declared for an entry outside its text: by a call of an export function that was recorded, say.

A declaration says what the call gave: tensors with their dtype and shape, plain values, containers of them, and which
sizes were asked to be dynamic. It is plain data. `Settings.declared` carries it into a check, so that the same text
under the same declarations has the same findings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Kind = Literal["unbacked", "named", "dynamic", "auto"]

# How a dimension was declared, the strictest first: of a `ShapeVar` (torch 2.14) nothing may be asked but what its range
# answers, a named Dim must hold over its whole range, DYNAMIC must not be frozen, AUTO may be.
KINDS: Final[tuple[Kind, ...]] = ("unbacked", "named", "dynamic", "auto")


@dataclass(frozen=True, slots=True)
class TensorInput:
    """A tensor. `dtype` is torch's name of it (`float32`), empty where it is not known; so with `shape` and None."""

    dtype: str = ""
    shape: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class PlainInput:
    """A Python value that export takes as it is: None, a bool, a number or a string."""

    value: bool | float | str | None


@dataclass(frozen=True, slots=True)
class SequenceInput:
    """A list or tuple of inputs."""

    type: Literal["list", "tuple"]
    items: tuple[Input, ...]


@dataclass(frozen=True, slots=True)
class MappingInput:
    """A dict of inputs with strings for keys."""

    items: tuple[tuple[str, Input], ...]


@dataclass(frozen=True, slots=True)
class ObjectInput:
    """Any other object, by the module and qualified name of its class: `package.module.Batch`."""

    name: str


Input = TensorInput | PlainInput | SequenceInput | MappingInput | ObjectInput


@dataclass(frozen=True, slots=True)
class DynamicSize:
    """A size that is declared to be dynamic.

    `path` leads to the tensor: a parameter of the entry, then indices and keys into what it was given. `axis` may count
    from the end. `name`, `low` and `high` are those of a named Dim, or the range of another.
    """

    path: tuple[str | int, ...]
    axis: int
    kind: Kind
    name: str | None = None
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Declared:
    """The inputs of one entry, as one call gave them.

    `filename` is the file that defines the class, or the function, `entry` its qualified name there (`Net`,
    `TestNet.test_it.<locals>.Net`). `args` and `kwargs` are what the call gave; `dynamic` the sizes that it asked to be
    dynamic, none if it asked for none. `strict` is the mode that the call chose, None where that is not known.
    """

    filename: str
    entry: str
    args: tuple[Input, ...] = ()
    kwargs: tuple[tuple[str, Input], ...] = ()
    dynamic: tuple[DynamicSize, ...] = ()
    strict: bool | None = None

    @classmethod
    def from_json(cls, value: object) -> Declared:
        """A recorded call: `{"filename", "class", "args", "kwargs", "dynamic", "strict"}`.

        An argument is `{"tensor": {"dtype": "float32", "shape": [2, 3]}}`, `{"value": 4}`, `{"list": [argument, …]}`,
        `{"tuple": […]}`, `{"dict": {name: argument}}` or `{"object": "module.Qualname"}`. An entry of `dynamic` is
        `[path, axis, kind]`, `[path, axis, kind, name]` or `[path, axis, kind, name, low, high]`, where `path` is the
        name of a parameter or a list that begins with it, and goes on with indices and keys. All but `filename` and
        `class` may be left out; other keys are the caller's own. Whether a call that was recorded for an older text
        still counts is for the caller to decide.

        Raises:
            ValueError: it is nothing of the kind; the message says where.
        """
        call = _table(value, "a recorded call")
        strict = call.get("strict")
        if strict is not None and not isinstance(strict, bool):
            raise ValueError(f"strict must be true, false or null, not {strict!r}")
        return cls(
            _text(call.get("filename"), "filename"),
            _text(call.get("class"), "class"),
            tuple([_input(item, "args") for item in _list(call.get("args", []), "args")]),
            _named(call.get("kwargs", {}), "kwargs"),
            tuple([_dynamic(item) for item in _list(call.get("dynamic", []), "dynamic")]),
            strict,
        )


@dataclass(frozen=True, slots=True)
class Written:
    """Inputs of a target as Python source text, as `[tool.exportdb.targets]` gives them; empty where nothing is given.

    `key` names the target: `Net`, `package.module.Net` or `path/file.py::Net`.
    """

    key: str
    args: str = ""
    kwargs: str = ""
    dynamic_shapes: str = ""
    constructor: str = ""


def names_target(key: str, name: str, filename: str) -> bool:
    """Whether a key of `[tool.exportdb.targets]` names a target of a file: `Net`, `package.module.Net` or
    `path/file.py::Net`."""
    stem = filename.replace("\\", "/")
    dotted = stem.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    path, separator, tail = key.rpartition("::")
    in_file = bool(separator) and tail == name and (stem == path or stem.endswith("/" + path.lstrip("./")))
    in_module = not separator and key.endswith("." + name) and dotted.endswith("." + key[: -len(name) - 1])
    return key == name or in_file or in_module


def for_file(declared: tuple[Declared, ...], filename: str) -> tuple[Declared, ...]:
    """Those of the declarations that speak of the entries of a file."""
    return tuple([one for one in declared if one.filename == filename]) if declared else ()


def _input(value: object, place: str) -> Input:
    table = _table(value, place)
    if len(table) != 1:
        raise ValueError(f"{place}: an argument must have exactly one of tensor, value, list, tuple, dict and object")
    ((key, inner),) = table.items()
    if key == "tensor":
        tensor = _table(inner, place)
        shape = tensor.get("shape")
        sizes = None if shape is None else tuple([_whole(size, f"{place}: a size") for size in _list(shape, place)])
        return TensorInput(_text(tensor.get("dtype", ""), f"{place}: dtype"), sizes)
    if key == "value" and (inner is None or isinstance(inner, (bool, int, float, str))):
        return PlainInput(inner)
    if key in ("list", "tuple"):
        items = tuple([_input(item, place) for item in _list(inner, place)])
        return SequenceInput("list" if key == "list" else "tuple", items)
    if key == "dict":
        return MappingInput(_named(inner, place))
    if key == "object":
        return ObjectInput(_text(inner, place))
    raise ValueError(
        f"{place}: {key} cannot be {inner!r}" if key == "value" else f"{place}: an argument cannot be a {key!r}"
    )


def _dynamic(value: object) -> DynamicSize:
    parts = [*_list(value, "dynamic")]
    if not 3 <= len(parts) <= 6:
        raise ValueError(f"dynamic: {value!r} is not [path, axis, kind, name, low, high]")
    path, axis, kind, name, low, high = [*parts, *[None] * (6 - len(parts))]
    if kind not in KINDS:
        raise ValueError(f"dynamic: a dimension must be one of {', '.join(KINDS)}, not {kind!r}")
    if name is not None and not isinstance(name, str):
        raise ValueError(f"dynamic: the name of a dimension cannot be {name!r}")
    return DynamicSize(
        tuple(_path(path)),
        _whole(axis, "dynamic: an axis"),
        kind,
        name,
        0 if low is None else _whole(low, "dynamic: a bound"),
        None if high is None else _whole(high, "dynamic: a bound"),
    )


def _path(value: object) -> Iterator[str | int]:
    if isinstance(value, str):
        yield value
        return
    parts = _list(value, "dynamic: a path")
    if not parts or not isinstance(parts[0], str):
        raise ValueError(f"dynamic: a path must start with a parameter name, not {value!r}")
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, (int, str)):
            raise ValueError(f"dynamic: {part!r} is neither an index nor a key")
        yield part


def _table(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{place}: {value!r} is not a table")
    return cast("Mapping[str, object]", value)


def _named(value: object, place: str) -> tuple[tuple[str, Input], ...]:
    return tuple([(name, _input(item, f"{place}: {name}")) for name, item in _table(value, place).items()])


def _list(value: object, place: str) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{place}: {value!r} is not a list")
    return cast("list[object]", value)


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{place} must be a string, not {value!r}")
    return value


def _whole(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{place} must be an integer, not {value!r}")
    return value
