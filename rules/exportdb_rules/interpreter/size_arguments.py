"""The sizes that operators are given: what torch wants where an int stands, and how large a result becomes by it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, Literal

from exportdb_rules.facts import ConversionTarget, Converted, SizeGiven
from exportdb_rules.interpreter import windows
from exportdb_rules.interpreter.dimensions import given, term_of
from exportdb_rules.interpreter.iteration import dimension
from exportdb_rules.lattice import Sequence, choices
from exportdb_rules.operator_table import is_float
from exportdb_rules.values import (
    KEPT,
    KEPT_ARRAY,
    NUMPY,
    TOP,
    Const,
    External,
    Shape,
    Static,
    Sym,
    Tensor,
    Union,
    Value,
    is_assumed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.torch_api import Api

# Parameters whose number becomes a size of the result, so that a symbol made for it is not lost.
_SHOWN: Final = frozenset(
    {"size", "sizes", "shape", "k", "length", "repeats", "n", "m", "num_samples", "output_size", "split_sizes", "dims"}
)
# Constructors whose arguments are the sizes of the result, one by one or in a list.
_BY_SIZES: Final = frozenset(f"torch.{name}" for name in ("zeros", "ones", "empty", "rand", "randn", "full", "randint"))
# Operators that read sizes as plain numbers, so that the one that was traced stays: where they take them, and what
# they are called as (measured on torch 2.13, in both modes).
_WINDOWS: Final = ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window")
_READING: Final[dict[str, tuple[ConversionTarget, dict[int, str]]]] = {
    "torch.linspace": ("linspace", {2: "steps"}),
    "torch.logspace": ("linspace", {2: "steps"}),
    **{f"torch.{name}": ("window", {0: "window_length"}) for name in _WINDOWS},
    **{f"torch.fft.{name}": ("frequencies", {0: "n"}) for name in ("fftfreq", "rfftfreq")},
    "torch.tril_indices": ("triangle", {0: "row", 1: "col"}),
    "torch.triu_indices": ("triangle", {0: "row", 1: "col"}),
    "torch.nn.functional.one_hot": ("one_hot", {1: "num_classes"}),
    "torch.nn.functional.affine_grid": ("grid", {1: "size"}),
}
_VIEWS: Final = frozenset({"view", "reshape", "unflatten"})
# What the method and the function call the size of the parts, in whose place both take a list of sizes.
_PART_SIZE: Final = frozenset({"split_size", "split_size_or_sections"})
# What a list is called that stands in the place of a number.
_LISTED: Final = {**dict.fromkeys(_PART_SIZE, "split_sizes"), "sections": "indices"}
# Constructors from Python numbers: constants of tracing, whose `.item()` is a plain number.
FROM_NUMBERS: Final = frozenset({"torch.tensor", "torch.as_tensor", "torch.scalar_tensor"})


def check_integers(
    frame: Frame, node: ast.AST, name: str, api: Api, args: list[Value], keywords: dict[str, Value]
) -> None:
    """Tensors and unbacked symbols that stand where torch wants an int. For a method the receiver stands first."""
    skip = 1 if name.startswith("Tensor.") else 0
    if not any(map(_may_be_symbolic, (*args[skip:], *keywords.values()))):
        return
    given: list[tuple[ast.AST, str, Value]] = []
    for place, value, where in placed(node, args[skip:], keywords):
        if isinstance(place, str):
            parameter = place if place in api.integers else None
        else:
            parameter = api.integers.get(place)
            # x.view(a, b, c) spreads one size over several arguments
            if parameter is None and api.integers.get(0) in ("size", "sizes", "shape", "repeats", "dims"):
                parameter = api.integers[0]
            if name == "torch.randint" and place == 1 and type(value) is not Sequence:
                parameter = "high"  # behind `low`
        if parameter is not None:
            given.append((where, parameter, value))
    first = args[0] if args and type(args[0]) is Tensor else None
    for where, parameter, value in given:
        called = _LISTED.get(parameter, parameter) if type(value) is Sequence else parameter
        _size_given(frame, where, name, api, called, value, first, given)
        if called in _SHOWN and name.rpartition(".")[2] not in _VIEWS and not _fills(name, where, node):
            _not_negative(frame, where, value)


def _fills(name: str, where: ast.AST, node: ast.AST) -> bool:
    """Whether an argument is not a size but what the tensor is filled with: `torch.full(size, n)`."""
    return name.endswith("full") and isinstance(node, ast.Call) and where in node.args[1:]


def _not_negative(frame: Frame, node: ast.AST, value: Value) -> None:
    """A number that a name holds is a size of what an operator makes: export knows from then on that it is not negative. Of a
    view it may be -1 (measured with torch 2.13: case `view_written_by_size_ok`)."""
    if type(value) is Sequence:
        nodes = node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
        for part, inner in zip(nodes, value.items or (), strict=False):
            _not_negative(frame, part, inner)
        return
    if not isinstance(node, ast.Name) or type(value) is not Sym or value.backed or value.type != "int":
        return
    if (value.low is None or value.low < 0) and frame.env.get(node.id) is value:
        # Of this name alone: another number of the same list is the same value.
        frame.env[node.id] = value.changed(low=0)


def placed(
    node: ast.AST, args: list[Value], keywords: dict[str, Value], skip: int = 0
) -> list[tuple[int | str, Value, ast.AST]]:
    """The arguments of a call by position or name, each with its expression. `skip`: how many stand before those that are written
    out, as a receiver does."""
    nodes = list(node.args) if isinstance(node, ast.Call) else []
    named = {k.arg: k.value for k in node.keywords} if isinstance(node, ast.Call) else {}
    found: list[tuple[int | str, Value, ast.AST]] = [
        (position, value, nodes[position - skip] if 0 <= position - skip < len(nodes) else node)
        for position, value in enumerate(args)
    ]
    return [*found, *((key, value, named.get(key, node)) for key, value in keywords.items())]


def check_read(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> None:
    """Dynamic sizes that an operator reads as plain numbers."""
    if name not in _READING:
        return
    target, places = _READING[name]
    for position, parameter in places.items():
        value = args[position] if position < len(args) else keywords.get(parameter)
        if value is not None and target == "grid":
            value = _image(value)
        if value is not None and (read := dynamic_size(frame, value)) is not None:
            frame.emit(Converted(frame.site(node), target, read))
            return


def _image(size: Value) -> Value:
    """Of the size of a batch of images, the part that `affine_grid` reads: neither the batch nor the channels."""
    dims = given([size])
    return size if dims is None else Sequence("tuple", [*dims[2:]])


def dynamic_size(frame: Frame, value: Value) -> Sym | None:
    """A dynamic size that a value is or has, in lists of lists, or as the shape of a tensor."""
    if type(value) is Sequence:
        found = (dynamic_size(frame, part) for part in (value.items if value.items is not None else [value.any()]))
        return next((size for size in found if size is not None), None)
    for choice in choices(value):
        for size in _sizes(frame, choice.tensor) if type(choice) is Shape else [choice]:
            if type(size) is Sym and size.backed:
                return size
    return None


def _sizes(frame: Frame, tensor: Tensor) -> Iterable[Value]:
    """The sizes of a tensor; one of them where they are not known one by one."""
    return [dimension(frame, tensor, 0)] if tensor.dims is None else tensor.dims


def check_range(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> None:
    """`torch.arange(start, end, step)`. The number of elements is a symbol that strict export finds again only where it is the
    one number of a tensor, as in `arange(n)`: `arange(1, n)` has `n - 1`, and a float is rounded up (measured with torch 2.13)."""
    names = ("end",) if len(args) == 1 else ("start", "end", "step")
    bounds: dict[int | str, tuple[ast.AST, Value]] = {}
    for place, value, where in placed(node, args, keywords):
        bounds[names[place] if isinstance(place, int) and place < len(names) else place] = (where, value)
    bounds = {place: bounds[place] for place in ("start", "end", "step") if place in bounds}
    if list(bounds) == ["end"]:
        _not_negative(frame, *bounds["end"])
    step = bounds["step"][1] if "step" in bounds else Const(1)
    unit = type(step) is Const and step.value in (1, -1)
    ends = [value for place, (_, value) in bounds.items() if place != "step"]
    alone = unit and sum(not _is_zero(value) for value in ends) == 1
    for place, (where, value) in bounds.items():
        loose = [choice for choice in choices(value) if is_loose(choice)]
        if place != "step" and len(loose) < len(choices(value)):
            continue  # of a cache that counts by a tensor or by a number, it may be the number
        for choice in loose:
            if place == "step":
                frame.emit(SizeGiven(frame.site(where), "torch.arange", place, choice, "plain"))  # type: ignore[arg-type]
            elif not alone or (type(choice) is Tensor and is_float(choice.dtype)):
                frame.emit(SizeGiven(frame.site(where), "torch.arange", place, choice, "number"))  # type: ignore[arg-type]


def _is_zero(value: Value) -> bool:
    return type(value) is Const and type(value.value) is int and value.value == 0


def is_loose(choice: Value) -> bool:
    """Whether a value is a tensor, or an unbacked symbol, whose number tracing does not know."""
    return (type(choice) is Tensor and not choice.constant and choice.evidence > 0) or (
        type(choice) is Sym and not choice.backed
    )


def _may_be_symbolic(value: Value) -> bool:
    """Whether a value, or one that it holds, is a number that tracing does not know, or a dynamic size."""
    if type(value) is Sequence:
        return any(map(_may_be_symbolic, [value.any()] if value.items is None else value.items))
    return any(type(choice) is Sym or is_loose(choice) for choice in choices(value))


def _size_given(
    frame: Frame,
    node: ast.AST,
    name: str,
    api: Api,
    parameter: str,
    value: Value,
    first: Tensor | None,
    given: list[tuple[ast.AST, str, Value]],
) -> None:
    if type(value) is Sequence:
        for element in value.items if value.items is not None else [value.any()]:
            _size_given(frame, node, name, api, parameter, element, first, given)
        return
    for choice in choices(value):
        if type(choice) is Sym and choice.backed and parameter in api.plain:
            if not _says_more(name, parameter, choice, first):
                frame.emit(Converted(frame.site(node), "plain int", choice))
        elif is_loose(choice):
            need = _need(frame, name, api, parameter, first, given)
            if need == "sign" and type(choice) is Sym and choice.low is not None and choice.low >= 1:
                continue
            if type(choice) is Tensor and parameter in api.either and need != "start":
                continue
            frame.emit(SizeGiven(frame.site(node), name, parameter, choice, need))  # type: ignore[arg-type]


def _says_more(name: str, parameter: str, size: Sym, first: Tensor | None) -> bool:
    """Whether there is nothing to say of a dynamic size where a plain int stands, or more is said elsewhere: by `check_read`, and
    where the sizes of the tensor are known, of its chunks and of a pooling over the whole of a size."""
    term = size.term
    if name in _READING or (term is not None and not term.dimensions):
        return True
    if first is None or first.dims is None:
        return False
    pools = parameter == "kernel_size" and windows.FUNCTIONS.get(name.rpartition(".")[2]) in windows.POOLS
    return parameter == "chunks" or (pools and term is not None and term in map(term_of, first.dims))


def check_order(frame: Frame, node: ast.AST, args: list[Value]) -> None:
    """`torch.einsum(equation, *operands)`: for three operands or more torch asks opt_einsum for the best order, where
    that is installed; it reads the sizes as numbers (case `einsum_of_three`)."""
    operands = args[1:]
    if len(operands) == 1 and type(operands[0]) is Sequence:
        operands = operands[0].items or []
    if len(operands) < 3 or not frame.run.project.is_installed("opt_einsum", frame.module):
        return
    for operand in operands:
        if type(operand) is Tensor:
            read_sizes(frame, node, "einsum", operand)


def read_sizes(frame: Frame, node: ast.AST, target: Literal["einsum", "einx"], tensor: Tensor) -> None:
    """A function reads every size of a tensor as a number."""
    for size in _sizes(frame, tensor):
        if type(size) is Sym and size.backed:
            frame.emit(Converted(frame.site(node), target, size))


def _need(
    frame: Frame, name: str, api: Api, parameter: str, first: Tensor | None, given: list[tuple[ast.AST, str, Value]]
) -> str:
    """What torch does with the number: see `SizeGiven.need`."""
    short = name.rpartition(".")[2]
    if parameter in api.plain or parameter in _PART_SIZE:
        return "plain"
    if parameter in api.signed:
        return "sign"
    if short == "narrow" and parameter == "start":
        return "start"
    if short in _VIEWS and first is not None:
        dynamic = frame.run.dynamic
        symbolic = dynamic.any and not first.fixed and not first.unbacked
        if symbolic and first.moves and short == "view" and (dynamic.all_dimensions or len(dynamic.indices()) > 1):
            return "layout"
        others = [v for _, p, v in given if p == parameter]
        if len(others) == 1 and type(others[0]) is Sequence and others[0].items is not None:
            others = others[0].items
        fixed = [v for v in others if type(v) is Static or (type(v) is Const and v.value != -1)]
        if not symbolic and not first.unbacked and len(fixed) == len(others) - 1:
            return "solved"
    return "size" if parameter in _SHOWN else "number"


def _loose_size(values: list[Value]) -> Tensor | Sym | None:
    """A size that hangs on data. A parameter that is given as a size, or part of one, is a number unless something shows it to
    be a tensor."""
    for value in values:
        if type(value) is Sequence:
            found = _loose_size(value.items if value.items is not None else [value.any()])
            if found is not None:
                return found
        for choice in choices(value):
            if (type(choice) is Sym and not choice.backed) or (
                type(choice) is Tensor and not is_assumed(choice) and not choice.constant
            ):
                return choice
    return None


def _may_be_one(data: Value) -> bool:
    """Whether a tensor of these numbers may have one element only."""
    if type(data) is Sequence and data.type in ("list", "tuple") and data.items is not None:
        return len(data.items) == 1 and _may_be_one(data.items[0])
    return data is not KEPT and data is not KEPT_ARRAY and data is not NUMPY


def sized_by(result: Value, frame: Frame, name: str, args: list[Value], keywords: dict[str, Value]) -> None:
    """A constructor's result is as large as its arguments say."""
    if type(result) is not Tensor:
        return
    if name in FROM_NUMBERS or name == "torch.from_numpy":
        data = args[0] if args else keywords.get("data", TOP)
        result.fixed = is_constant(data)
        # What was made before tracing is data of the model: fake tensors remember constants that tracing made, of one element.
        result.constant = result.fixed and frame.traced and name != "torch.scalar_tensor" and _may_be_one(data)
        if type(data) in (Const, Static) and getattr(data, "type", "number") in ("int", "float", "bool", "number"):
            result.shape, result.rank, result.dims = ("dims", ()), 0, ()
        else:
            result.rank = _nesting(data)
        return
    sizes = [*_size_arguments(name, args), *(v for k, v in keywords.items() if k in ("size", "end", "n", "steps"))]
    loose = _loose_size(sizes)
    if loose is not None:
        result.unbacked, result.site = True, loose.site
        if name in _BY_SIZES:
            _place_of_data(result, _size_arguments(name, args))
        return
    result.fixed = all(_known_size(v) for v in sizes)
    if name in _BY_SIZES and "names" not in keywords:
        positional = _size_arguments(name, args) or _size_arguments(
            name, [keywords["size"]] if "size" in keywords else []
        )
        result.dims = given(positional)
        result.rank = None if result.dims is None else len(result.dims)


def _place_of_data(result: Tensor, sizes: list[Value]) -> None:
    """Which of the sizes that a tensor is made of depends on data, and how many there are."""
    listed = sizes[0].items if len(sizes) == 1 and type(sizes[0]) is Sequence else sizes
    if listed and not any(type(size) in (Sequence, Shape) for size in listed):
        from_data = {at: size for at, size in enumerate(listed) if type(size) is Sym and not size.backed}
        result.axis, result.rank = next(iter(from_data)) if len(from_data) == 1 else None, len(listed)
        result.some = all((size.low or 0) > 0 for size in from_data.values())


def as_large_as_given(result: Tensor, sizes: list[Value]) -> None:
    """`torch.FloatTensor(2, n)` and `x.new(2, n)`, which take data, or another tensor, as well; `torch.FloatTensor()` is empty."""
    written = all(_is_number(size) for size in sizes) or [type(size) for size in sizes] == [Shape]
    dims = given(sizes or [Const(0)]) if written and _loose_size(sizes) is None else None
    if dims is not None:
        result.dims, result.rank = dims, len(dims)


def _is_number(size: Value) -> bool:
    return type(size) is Sym or (type(size) is Const and type(size.value) is int)


def _nesting(data: Value) -> int | None:
    """How deep numbers stand in lists: the dimensions of the tensor that they become; None where that is not known."""
    if type(data) is Const:
        return 0
    inner = data.items[0] if type(data) is Sequence and data.items else None
    depth = None if inner is None else _nesting(inner)
    return None if depth is None else depth + 1


def _size_arguments(name: str, args: list[Value]) -> list[Value]:
    """The positional arguments of a constructor that say how large its result is; the others say what is in it."""
    if name == "torch.full":
        return args[:1]
    if name in ("torch.linspace", "torch.logspace"):
        return args[2:3]
    if name == "torch.randint":
        return [a for a in args if type(a) in (Sequence, Shape)]
    return args


def _known_size(value: Value) -> bool:
    if type(value) is Sequence:
        return value.items is not None and all(_known_size(v) for v in value.items)
    return type(value) in (Const, Static, External)


def is_constant(value: Value) -> bool:
    """Whether export keeps the number of a tensor made of it.

    A fake tensor remembers its constant only if it has one element (torch/_subclasses/fake_tensor.py,
    CONSTANT_NUMEL_LIMIT).
    """
    if type(value) is Sequence:
        return value.items is not None and len(value.items) <= 1 and all(is_constant(v) for v in value.items)
    if type(value) is Union:
        return all(is_constant(v) for v in value.choices)
    return type(value) in (Const, Static) or (type(value) is Tensor and value.constant)


# What a constructor of tensors is told besides sizes and numbers.
_ATTRIBUTES: Final = frozenset({"dtype", "device", "layout", "requires_grad", "pin_memory", "memory_format"})


def sized_alone(args: Iterable[Value], keywords: Mapping[str, Value]) -> bool:
    """Whether no input decides the numbers of a tensor that is made of these, but by its sizes."""
    return all(map(tells_no_data, [*args, *[value for name, value in keywords.items() if name not in _ATTRIBUTES]]))


def tells_no_data(value: Value) -> bool:
    """Whether a value is known when tracing begins, or is a size of an input, or holds nothing else."""
    if type(value) is Sequence:
        return all(map(tells_no_data, value.items)) if value.items is not None else tells_no_data(value.any())
    if type(value) is Union:
        return all(map(tells_no_data, value.choices))
    if type(value) is Tensor:
        return value.sized or value.fixed
    return type(value) in (Const, Static, Shape) or (type(value) is Sym and value.backed)


def resized(result: Value, sizes: list[Value]) -> None:
    """A reshape: data-dependent now also where a size given is; no longer of a known shape."""
    if type(result) is not Tensor:
        return
    loose = _loose_size(sizes)
    if loose is not None:
        result.unbacked, result.site = True, loose.site
    count = len(sizes)
    if count == 1 and type(sizes[0]) is Sequence and sizes[0].items is not None:
        count = len(sizes[0].items)
    elif count == 1 and type(sizes[0]) is not Const and type(sizes[0]) is not Static:
        return
    result.rank = count
