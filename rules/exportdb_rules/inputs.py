"""What an entry is given: by declarations from outside, and by what its file says, as values and dimensions."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exportdb_rules.declared import (
    KINDS,
    Declared,
    Input,
    MappingInput,
    PlainInput,
    SequenceInput,
    TensorInput,
    for_file,
)
from exportdb_rules.definitions import declared_of, defaults_of, parameters_of
from exportdb_rules.dynamic_shapes import Dimension, Dimensions, place_of
from exportdb_rules.file_inputs import inputs_in_file
from exportdb_rules.interpreter.construct import Arguments
from exportdb_rules.interpreter.dimensions import of_example
from exportdb_rules.lattice import Mapping, Sequence, join
from exportdb_rules.operator_table import is_float, of_example_dtype
from exportdb_rules.project import ClassInfo
from exportdb_rules.terms import Term
from exportdb_rules.values import INPUT, TOP, Const, Evidence, Instance, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.dynamic_shapes import Path
    from exportdb_rules.file_inputs import FileInputs
    from exportdb_rules.interpreter.machine import AnalysisState
    from exportdb_rules.project import FunctionInfo


@dataclass(frozen=True, slots=True)
class Given:
    """What one call gives an entry: values by parameter, the dimensions that it declares (None: it declares none), the
    mode that it chooses (None: it does not say), and what the constructor of the model was given (None: not known)."""

    values: dict[str, Value] = field(default_factory=dict[str, Value])
    dimensions: Dimensions | None = None
    strict: bool | None = None
    construction: Arguments | None = None
    training: bool | None = None
    """Whether the model is in training mode; None where that is not known."""


def declared_for(run: AnalysisState, filename: str, name: str, function: FunctionInfo) -> list[Given]:
    """What the declarations that a check was given say of an entry: of a class by its name, or of a function."""
    return [_given(one, function) for one in for_file(run.declared, filename) if one.entry == name]


def _given(one: Declared, function: FunctionInfo) -> Given:
    values = arguments(function, [_value(item) for item in one.args], {name: _value(item) for name, item in one.kwargs})
    values = _constant_defaults(function) | values
    every: dict[Path, dict[int, Dimension]] = {}
    kinds: set[str] = set()
    for size in one.dynamic:
        every.setdefault(size.path, {})[size.axis] = Dimension(size.name, size.low, size.high)
        kinds.add(size.kind)
    strictest = next((kind for kind in KINDS if kind in kinds), "auto")
    dimensions = Dimensions.of(strictest, declared_of(function), every) if every else None
    return Given(values, dimensions, one.strict)


def said_in_file(run: AnalysisState, target: ClassInfo | FunctionInfo, function: FunctionInfo) -> list[Given]:
    """What the file of an entry, and the project's settings, say that it is given."""
    said = inputs_in_file(run.project, target, declared_of(function), run.targets, run.torch_version)
    return [given_by(run, one, function, constructed=isinstance(target, ClassInfo)) for one in said]


def given_by(run: AnalysisState, inputs: FileInputs, function: FunctionInfo, *, constructed: bool = False) -> Given:
    """What the inputs of a file give a function; `constructed`: and the constructor of the class that it is a method of."""
    recorded = run.recorded
    if not inputs.written:
        run.recorded = None  # the expressions have no place in the text
    try:
        args = TOP if inputs.args is None else run.value_of(inputs.names, inputs.args)
        kwargs = TOP if inputs.kwargs is None else run.value_of(inputs.names, inputs.kwargs)
    finally:
        run.recorded = recorded
    positional: list[Value] = args.items if isinstance(args, Sequence) and args.items is not None else []
    if type(args) is Tensor:
        positional = [args]  # what is given in no tuple is the one argument
    named = kwargs.items if isinstance(kwargs, Mapping) else {}
    named = {name: value for name, value in named.items() if isinstance(name, str)}
    made = _constructed(run, inputs) if constructed else None
    values = arguments(function, positional, named)
    if _is_whole(inputs, args, kwargs):
        values = _constant_defaults(function) | values
    return Given(values, inputs.dimensions, inputs.strict, made, inputs.origin.training)


def _is_whole(inputs: FileInputs, args: Value, kwargs: Value) -> bool:
    """Whether every argument of a call is known of: what it leaves out has its default."""
    given = type(args) is Tensor or (isinstance(args, Sequence) and args.items is not None)
    return given and (inputs.kwargs is None or (isinstance(kwargs, Mapping) and kwargs.element is None))


def _constant_defaults(function: FunctionInfo) -> dict[str, Value]:
    """The parameters of a function whose defaults are constants, and these."""
    defaults = defaults_of(function.node).items()
    return {name: Const(node.value) for name, node in defaults if isinstance(node, ast.Constant)}


def _constructed(run: AnalysisState, inputs: FileInputs) -> Arguments | None:
    """What the constructor of the model is given."""
    made = inputs.origin.construction
    if made is None:
        return Arguments(settings=inputs.origin.settings)
    if any(isinstance(arg, ast.Starred) for arg in made.node.args) or any(k.arg is None for k in made.node.keywords):
        return None
    recorded, run.recorded = run.recorded, None  # it is run as any other code of the file when somebody calls it
    try:
        names = made.scope.names
        args = [run.value_of(names, made.scope.follow(arg)) for arg in made.node.args]
        keywords = {k.arg: run.value_of(names, made.scope.follow(k.value)) for k in made.node.keywords if k.arg}
    finally:
        run.recorded = recorded
    return Arguments(tuple(args), keywords, inputs.origin.settings)


def arguments(function: FunctionInfo, args: list[Value], kwargs: dict[str, Value]) -> dict[str, Value]:
    """The values of a call by parameter; `*args` and `**kwargs` of the function take what is left over."""
    spec = function.node.args
    names = parameters_of(function)
    values = dict(zip(names, args, strict=False))
    if spec.vararg is not None and len(args) >= len(names):
        values[spec.vararg.arg] = Sequence("tuple", args[len(names) :])
    known = {*names, *[a.arg for a in spec.kwonlyargs]}
    values.update({name: value for name, value in kwargs.items() if name in known})
    if spec.kwarg is not None:
        values[spec.kwarg.arg] = Mapping({name: value for name, value in kwargs.items() if name not in known})
    return values


def _value(item: Input) -> Value:
    """What an input is, as the interpreter sees an example: neither an alias of anything, nor named."""
    if isinstance(item, TensorInput):
        shape = item.shape
        dims = None if shape is None else tuple([Static("int", size) for size in shape])
        return Tensor(INPUT, dtype=item.dtype or None, rank=None if shape is None else len(shape), dims=dims)
    if isinstance(item, PlainInput):
        return Const(item.value)
    if isinstance(item, SequenceInput):
        return Sequence(item.type, [_value(part) for part in item.items])
    if isinstance(item, MappingInput):
        return Mapping({name: _value(part) for name, part in item.items})
    return TOP


def fill(
    run: AnalysisState, parameters: dict[str, Value], given: Iterable[Given], dimensions: Dimensions | None
) -> None:
    """Put what calls give an entry in the place of what its parameters are taken for.

    Several calls are joined: export meets each of them. `dimensions` are those that hold for all.
    """
    found: dict[str, Value] = {}
    for call in given:
        for name in parameters:
            value = _as_parameter(run, parameters[name], call.values.get(name, TOP), (name,), dimensions)
            found[name] = join(found[name], value) if name in found else value
    parameters.update(found)
    if dimensions is not None and dimensions.parameters is not None:
        for name, value in parameters.items():
            if type(value) is Tensor and not dimensions.parameters.get(name):
                parameters[name] = value.changed(fixed=True)


def example_sizes(given: Iterable[Given], dimensions: Dimensions) -> dict[str, int]:
    """What the dynamic dimensions are in the example, by their names in terms; those in which calls differ are left out."""
    found: dict[str, set[int]] = {}
    for call in given:
        for path, said in dimensions.declared.items():
            value = part_of(call.values.get(str(path[0])), path[1:])
            dims = value.dims if type(value) is Tensor and value.dims is not None else ()
            for index, one in said.items():
                size = dims[index] if -len(dims) <= index < len(dims) else None
                if type(size) is not Static or size.number is None:
                    continue
                term = None if one.name is None else Term.written(one.name)
                root = (f"{place_of(path)}.shape[{index % len(dims)}]", 1, 0) if term is None else term.linear
                if root is not None and (size.number - root[2]) % root[1] == 0:
                    found.setdefault(root[0], set()).add((size.number - root[2]) // root[1])
    return {name: next(iter(sizes)) for name, sizes in found.items() if len(sizes) == 1}


def part_of(value: Value | None, path: Path) -> Value | None:
    """A part of what is given for a parameter."""
    for step in path:
        if isinstance(value, Sequence) and value.items is not None and isinstance(step, int):
            value = value.items[step] if -len(value.items) <= step < len(value.items) else None
        else:
            value = value.items.get(step) if isinstance(value, Mapping) else None
    return value


def _as_parameter(
    run: AnalysisState, parameter: Value, given: Value, path: Path, dimensions: Dimensions | None
) -> Value:
    """A parameter, or a part of one, for which an example is known."""
    kind = type(given)
    said = {} if dimensions is None else dimensions.declared.get(path, {})
    if kind is Tensor:
        return _tensor(run, parameter, given, path, dimensions)  # type: ignore[arg-type]
    if isinstance(given, Sequence) and given.items is not None:
        parts = [_as_parameter(run, TOP, item, (*path, i), dimensions) for i, item in enumerate(given.items)]
        return Sequence(given.type, parts)
    if isinstance(given, Mapping) and given.element is None:
        items = given.items.items()
        return Mapping({key: _as_parameter(run, TOP, item, (*path, key), dimensions) for key, item in items})
    if isinstance(given, Instance):
        if given.cls is None or given.cls.is_module(run.project):
            return parameter
        for name, value in given.attributes.items():
            if type(value) is Tensor:
                given.attributes[name] = value.changed(readable=False)  # as an input it is traced
        return given
    if isinstance(given, (Const, Static)):
        if said and type(given) is Const and type(given.value) is int:
            one = next(iter(said.values()))
            return Sym("int", backed=True, low=one.low, high=one.high, dim=one.name)
        return given
    return parameter


def _tensor(run: AnalysisState, parameter: Value, given: Tensor, path: Path, dimensions: Dimensions | None) -> Tensor:
    token = ("arg", path[0] if len(path) == 1 else path)
    known = parameter if type(parameter) is Tensor else Tensor(INPUT, alias=True, dtype=token, shape=token)
    # A program is exported for the dtypes of its example: a mask stays a mask. What else an example is of, who exports
    # the model for good may give as another float, or as other whole numbers.
    dtype = given.dtype if given.dtype == "bool" else known.dtype
    if dtype == token and isinstance(given.dtype, str):
        dtype = of_example_dtype(given.dtype, token)
    elif dtype == token and is_float(given.dtype):
        dtype = ("float", token)
    rank = known.rank if given.rank is None else given.rank
    tensor = known.changed(evidence=Evidence.OBSERVED, param=None, dtype=dtype, rank=rank)
    if dimensions is None:
        static = rank is not None and not run.assumed.any
        return of_example(tensor, given.changed(rank=rank), {}, "") if static else tensor
    said = dimensions.declared.get(path, {})
    if rank is not None and dimensions.parameters is not None:
        tensor = of_example(tensor, given.changed(rank=rank), said, place_of(path))
    return tensor if said or dimensions.parameters is None else tensor.changed(fixed=True)
