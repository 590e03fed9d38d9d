"""The functions that export traces, and running them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from itertools import islice
from keyword import iskeyword
from typing import TYPE_CHECKING, Final, TypeGuard

from exportdb_rules.definitions import declared_of, is_one_of
from exportdb_rules.documented_shapes import documented_sizes
from exportdb_rules.dynamic_shapes import Dimension
from exportdb_rules.exporting import calls_of
from exportdb_rules.facts import Entered as EnteredFact
from exportdb_rules.facts import ExampleOfOne, Returned
from exportdb_rules.file_inputs import EXAMPLES, exported_objects
from exportdb_rules.goal_verdict import EXPORTED_PROGRAM
from exportdb_rules.inputs import Given, declared_for, example_sizes, fill, given_by, said_in_file
from exportdb_rules.interpreter import (  # fill the tables
    array_libraries,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    calls,  # pyright: ignore[reportUnusedImport]
    expressions,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    function_transforms,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    higher_order,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    methods,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    python_library,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    ranks,
    statements,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    torch_library,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    vision_library,  # noqa: F401  # pyright: ignore[reportUnusedImport]
)
from exportdb_rules.interpreter.construct import configure, instance_of, object_of
from exportdb_rules.interpreter.dimensions import of_example
from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.interpreter.environment import Environment
from exportdb_rules.interpreter.machine import MAX_STEPS_OF_ENTRY, Frame, FuelExhausted
from exportdb_rules.interpreter.parameters import entry_parameters
from exportdb_rules.interruption import Interrupted
from exportdb_rules.lattice import Mapping, Sequence, choices, contained, copied, given_by_caller
from exportdb_rules.namespaces import local_classes
from exportdb_rules.onnx_calls import through_export
from exportdb_rules.project import ClassInfo, FunctionInfo, Module, dotted, own_statements
from exportdb_rules.values import Const, Function, Instance, Shape, Site, Static, Sym, Tensor, Value
from exportdb_rules.written_sizes import SPECIALIZED, computed, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.export_calls import ExportCall
    from exportdb_rules.file_inputs import FileInputs
    from exportdb_rules.interpreter.machine import AnalysisState, Summary
    from exportdb_rules.project import Project


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An entry: the function, and the class whose object it is traced on (None for a plain function)."""

    name: str
    class_name: str | None
    function: FunctionInfo
    cls: ClassInfo | None
    # A model that is an object of no class of the project, its inputs, and the call that exports it, if one does. The function
    # calls it, as `model`.
    model: tuple[Instance, FileInputs, ExportCall | None] | None = None


def inherited_at(entry: EntryPoint, project: Project) -> Site | None:
    """The first base of a class of the project whose `forward` is that of an installed package; None for any other entry."""
    cls = entry.cls
    if cls is None or not cls.node.bases or not project.is_of_package(entry.function.module.filename):
        return None
    return None if project.is_of_package(cls.module.filename) else Site(cls.module.file, cls.node.bases[0])


def entries_of(run: AnalysisState, module: Module) -> Iterator[EntryPoint]:
    """The entries of a file. Classes defined last come first: they tend to build the others, and their calls tell
    what the others' parameters are."""
    # The word alone first: what a file without it has from another one is a `forward` that calls the methods it writes anew.
    if module.mentions("forward") or (module.mentions("torch") and module.classes):
        for cls in (*reversed(local_classes(module)), *reversed(module.classes)):
            forward = cls.find("forward", run.project)
            if not cls.is_module(run.project):
                continue
            if forward is None:
                for method in _assigned(cls):
                    yield EntryPoint(f"{cls.name}.forward", cls.name, method, cls)
                continue
            if "staticmethod" in forward.decorators or isinstance(forward.node, ast.AsyncFunctionDef):
                continue
            if any(d.endswith("abstractmethod") for d in forward.decorators):
                continue  # no object of the class can be made
            if (
                forward.cls is not cls
                and forward.cls is not None
                and forward.cls.module.file is module
                and not _overrides(cls)
            ):
                continue
            yield EntryPoint(f"{cls.name}.forward", cls.name, forward, cls)
            if module.mentions("forward"):
                yield from _inference_methods(run, cls)
    yield from _exported_functions(run, module)


def exported_models(run: AnalysisState, module: Module) -> Iterator[EntryPoint]:
    """The objects that a file exports which are of no class of the project: `nn.Sequential` of its modules, whose inputs and
    options are what they meet there, and models of installed packages."""
    if not any(map(module.mentions, ("export", "onnx", *EXAMPLES))):
        return
    for exported in exported_objects(module):
        model = run.value_of(exported.names, exported.made)
        if _is_sequence_of_modules(model):
            names = ["input"]
        elif (forward := _packaged_forward(run.project, model)) is not None:
            names = declared_of(forward)
        else:
            continue
        assert isinstance(model, Instance)
        inputs = exported.inputs(names, run.torch_version)
        node = _calling(*_given_names(run, inputs, names))
        for part in ast.walk(node):
            ast.copy_location(part, exported.place)
        function = FunctionInfo("model", node, exported.names, None)
        yield EntryPoint("model", None, function, None, (model, inputs, exported.call))


def _given_names(run: AnalysisState, inputs: FileInputs, names: list[str]) -> tuple[list[str], list[str]]:
    """The parameters that a model is given by position, and by name; the first by position where that is not known."""
    args = None if inputs.args is None else run.value_of(inputs.names, inputs.args)
    kwargs = None if inputs.kwargs is None else run.value_of(inputs.names, inputs.kwargs)
    named = [name for name in kwargs.items if isinstance(name, str)] if isinstance(kwargs, Mapping) else []
    count = len(args.items) if isinstance(args, Sequence) and args.items is not None else 0 if named else 1
    positional = names[:count]
    return positional, [
        name for name in named if name.isidentifier() and not iskeyword(name) and name not in positional
    ]


def _calling(positional: list[str], named: list[str]) -> ast.Lambda:
    """`lambda x, mask: model(x, mask=mask)`."""
    arguments = ", ".join([*positional, *[f"{name}={name}" for name in named]])
    node = ast.parse(f"lambda {', '.join([*positional, *named])}: model({arguments})", mode="eval").body
    assert isinstance(node, ast.Lambda)
    return node


def _packaged_forward(project: Project, model: Value) -> FunctionInfo | None:
    """The `forward` of a model, if it is one of an installed package."""
    cls = model.cls if type(model) is Instance else None
    if cls is None or not project.is_of_package(cls.module.filename) or not cls.is_module(project):
        return None
    return cls.find("forward", project)


def _is_sequence_of_modules(model: Value) -> TypeGuard[Instance]:
    """Whether a model is a `nn.Sequential` in which modules of the project are called."""
    if type(model) is not Instance or model.external != "torch.nn.Sequential" or model.elements is None:
        return False
    parts = [choice for part in contained(model.elements) for choice in choices(part)]
    return any(type(part) is Instance and (part.cls is not None or _is_sequence_of_modules(part)) for part in parts)


def _assigned(cls: ClassInfo) -> list[FunctionInfo]:
    """What runs in the place of `forward`, which the class itself lacks: methods that a constructor puts there, or `__call__`."""
    init = cls.methods.get("__init__")
    found = [
        node.value.attr
        for node in (() if init is None else own_statements(init.node))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
        if dotted(node.targets[0]) == "self.forward" and dotted(node.value.value) == "self"
    ]
    return [cls.methods[name] for name in dict.fromkeys(found or ["__call__"]) if name in cls.methods]


def _inference_methods(run: AnalysisState, cls: ClassInfo) -> Iterator[EntryPoint]:
    """Public methods that say themselves that they are run for inference: `@torch.no_grad() def sample(self, …)`.

    Who exports a generator or a sampler exports these. Each is an entry unless another entry has reached it.
    """
    for method in cls.methods.values():
        if method.name.startswith("_") or id(method) in run.contexts:
            continue
        if any(is_one_of(d, calls.NO_GRAD) for d in method.decorators) and _returns_something(method):
            yield EntryPoint(f"{cls.name}.{method.name}", cls.name, method, cls)


_NUMBERS: Final = frozenset({Const, Shape, Static, Sym})


def _is_report(value: Value) -> bool:
    """Whether a result is numbers and strings of Python's, or holds some, and no tensor."""
    parts, found = [value], False
    while parts:
        one = parts.pop()
        inner = contained(one) if type(one) in (Sequence, Mapping) else choices(one)
        if len(inner) == 1 and inner[0] is one:
            if type(one) in (Tensor, Instance):
                return False
            found = found or type(one) in _NUMBERS
        else:
            parts += inner
    return found


def _returns_something(method: FunctionInfo) -> bool:
    return any(isinstance(node, ast.Return) and node.value is not None for node in own_statements(method.node))


def _overrides(cls: ClassInfo) -> bool:
    """Whether a class that inherits `forward` changes anything that it may use."""
    return bool(cls.methods) or bool(cls.assigns)


_EXPORTERS = frozenset(
    {"torch.export.export", "torch.export.export_for_training", "torch.export.draft_export", "torch.onnx.export"}
)


# Every exporter has one of the two in its qualified name; `export_to_video` has neither.
_EXPORT = re.compile(r"\b(?:export|onnx)\b")


def _exported_functions(run: AnalysisState, module: Module) -> Iterator[EntryPoint]:
    """Plain functions of the file that are handed to an export function somewhere in it."""
    # The words alone first: the pattern takes a hundred times as long.
    if not (module.mentions("export") or module.mentions("onnx")) or _EXPORT.search(module.text) is None:
        return
    functions = {f.name: f for f in module.functions}
    # The words alone first, once more: few files give one of their functions to anything.
    given = rf"\((?:\s|\\|#.*\n)*(?:{'|'.join(functions)})\b"
    if not functions or re.search(given, module.text) is None:
        return
    found: dict[str, None] = {}
    for statement in module.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
                name = node.args[0].id
                if name in functions and name not in found:
                    target = run.project.resolve_expression(module, node.func)
                    if isinstance(target, str) and target in _EXPORTERS:
                        found[name] = None
    for name in found:
        yield EntryPoint(name, None, functions[name], None)


def own_goals(entry: EntryPoint, torch_version: str) -> set[str]:
    """What the calls of its file export an entry for: `onnx` for a call of `torch.onnx.export` that goes through torch.export,
    and the exported program for one of `torch.export.export`."""
    if entry.model is not None:
        call = entry.model[2]
        calls = [] if call is None else [call]
    else:
        module = entry.function.module
        if not module.file.mentions("export") or (entry.cls is not None and not entry.name.endswith(".forward")):
            return set()
        calls = calls_of((entry.cls or entry.function).module, entry.cls or entry.function)
    found = {EXPORTED_PROGRAM for call in calls if not call.onnx}
    return found | {"onnx" for call in calls if through_export(call, torch_version)}


def given_for(run: AnalysisState, entry: EntryPoint) -> list[Given]:
    """What is known of the inputs of an entry; what was recorded comes before what the file says."""
    if entry.cls is not None and not entry.name.endswith(".forward"):
        return []  # what is exported of a class is its `forward`
    if entry.model is not None:
        return [given_by(run, entry.model[1], entry.function)]
    name = entry.class_name or entry.name
    recorded = declared_for(run, entry.function.module.filename, name, entry.function)
    return recorded or said_in_file(run, entry.cls or entry.function, entry.function)


def _object(run: AnalysisState, cls: ClassInfo, given: list[Given], exact: bool) -> Instance:
    """The object that is traced. Several calls that make it of different arguments leave its configuration unknown."""
    made = [one.construction for one in given]
    first = made[0] if made else None
    if first is None or any(one is None or one.key() != first.key() for one in made):
        return instance_of(run, cls)
    found = object_of(run, cls, first) if exact else None
    return found if isinstance(found, Instance) else instance_of(run, cls, first)


def _open_ranks(parameters: dict[str, Value]) -> list[str]:
    """Gives an open rank to each input that has none yet; their names."""
    unknown = {name: value for name, value in parameters.items() if _is_unsized(value) and value.rank is None}
    for number, (name, value) in enumerate(unknown.items()):
        parameters[name] = value.changed(rank=ranks.opened(number))
    return [*unknown]


def _name_sizes(parameters: dict[str, Value], learned: dict[str, int | None]) -> None:
    """Names the sizes of the inputs whose number of dimensions is known, where all of them are taken to be dynamic."""
    for name, value in parameters.items():
        if _is_unsized(value):
            rank = learned.get(name) if value.rank is None else value.rank
            if rank:
                every = {at: Dimension() for at in range(rank)}
                parameters[name] = of_example(value, value.changed(rank=rank), every, name)


def _is_unsized(value: Value) -> TypeGuard[Tensor]:
    return type(value) is Tensor and value.dims is None and not value.fixed


def run_entry(
    run: AnalysisState, entry: EntryPoint, inputs: list[Given] | None = None, *, exact: bool = False
) -> tuple[Summary | None, str | None]:
    """Trace an entry. The summary of what happened, and a note if a bound was hit or the analyser failed.

    Args:
        inputs: what it is given; by default what is known of its inputs.
        exact: for the object that is given these inputs alone, in the configuration that it has.
    """
    before = _Before(run) if run.assumed.all_dimensions else None
    summary, problem, opened = _trace(run, entry, inputs, exact, None)
    if not opened or summary is None or before is None:
        return summary, problem
    documented = documented_sizes(entry.function.node, entry.function.module.lines.rows)
    found = ranks.learned(summary, [len(documented.get(name, ())) or None for name in opened])
    before.restore(run)
    return _trace(run, entry, inputs, exact, dict(zip(opened, found, strict=True)))[:2]


class _Before:
    """What a trace counts, and the objects that it makes: the next one of the same entry does so anew."""

    def __init__(self, run: AnalysisState) -> None:
        self._contexts = {key: [*known] for key, known in run.contexts.items()}
        self._constructions = {**run.constructions}
        self._instances, self._summaries = len(run.instances), len(run.summaries)
        self._values = {node: [*value] if isinstance(value, list) else value for node, value in run.values.items()}

    def restore(self, run: AnalysisState) -> None:
        """As if nothing had been traced since."""
        run.contexts, run.constructions, run.values = self._contexts, self._constructions, self._values
        for made, before in ((run.instances, self._instances), (run.summaries, self._summaries)):
            for key in [*islice(made, before, None)]:
                del made[key]


def _trace(
    run: AnalysisState,
    entry: EntryPoint,
    inputs: list[Given] | None,
    exact: bool,
    learned: dict[str, int | None] | None,
) -> tuple[Summary | None, str | None, list[str]]:
    """As `run_entry`; and the names of the inputs whose ranks are open in this trace, in their order.

    Args:
        learned: the ranks of such inputs, as far as they were learned; None where they are to be.
    """
    opened: list[str] = []
    run.begin_call()
    run.undecided = {}
    run.entry = (entry.function.module.filename, entry.name)
    run.entered.add(entry.function.node)
    run.fuel = MAX_STEPS_OF_ENTRY
    run.depth = 0
    run.no_grad = 0
    run.differentiated = any(map(entry.function.module.mentions, ("autograd.grad", ".backward(")))
    run.autocast = 0
    run.active.clear()
    run.closures = {}
    frame = Frame(run, entry.function.module, None)
    try:
        observed = run.observed.get(id(entry.function)) if entry.cls is not None else None
        given = given_for(run, entry) if inputs is None else inputs
        modes = {one.training for one in given} if observed is None else run.modes.get(id(entry.function), {None})
        run.training = next(iter(modes)) if len(modes) == 1 else None
        bound: Instance | None = None
        if entry.cls is not None:
            frame.traced = False
            exact = exact or inherited_at(entry, run.project) is not None
            bound = _object(run, entry.cls, given if observed is None else [], exact)
            frame.traced = True
        run.root, run.ownership = bound if observed is None else None, None
        parameters: dict[str, Value] = entry_parameters(run, entry.function, observed)
        spec = next((one.dimensions for one in given if one.dimensions is not None), None)
        run.declare(run.assumed if spec is None else spec)
        if observed is None and spec is not None:
            # An unbacked size has none in the example that could decide anything.
            run.declare(replace(spec, sizes={} if spec.kind == "unbacked" else example_sizes(given, spec)))
            for name, size in run.dynamic.sizes.items():
                run.example_sizes[name] = size if run.example_sizes.get(name, size) == size else None
            example = next((one.values for one in given if one.dimensions is spec), dict[str, Value]())
            for one in (*written(spec, entry.function), *computed(spec, entry.function, example)):
                if one.number in SPECIALIZED:
                    site = frame.site(one.node)
                    frame.summary.facts.append(ExampleOfOne(site, one.place, one.index, one.number))
        fill(run, parameters, given if observed is None else (), spec)
        if observed is None and run.dynamic.all_dimensions:
            opened = _open_ranks(parameters) if learned is None else []
            run.learns_ranks = bool(opened)
            if not opened:
                _name_sizes(parameters, learned or {})
        parameters = {name: given_by_caller(value, name) for name, value in parameters.items()}
        rest = entry.function.node.args.kwarg
        spread = None if rest is None else parameters.get(rest.arg)
        if isinstance(spread, Mapping):
            spread.owner = None  # Python makes the dict of `**kwargs` for each call
        # What goes in and comes out matters where export stands: at the outermost module.
        if observed is None:
            given_there = tuple([(name, copied(value)) for name, value in parameters.items()])
            frame.summary.facts.append(EnteredFact(frame.site(entry.function.node), given_there, bound, bool(given)))
        closure = None
        if entry.model is not None:
            configure(run, entry.model[0], entry.model[1].origin.settings)
            closure = Frame(run, entry.function.module, None, env=Environment({"model": entry.model[0]}))
        function = Function(entry.function, bound=bound, closure=closure, owner=entry.function.cls)
        result = calls.enter_function(frame, function, parameters)
        if bound is not None and entry.function.name == "forward":
            for other in [*calls.assigned_forward(bound), *([bound] if calls.has_own_call(run, bound) else ())]:
                run.begin_call()
                call(frame, entry.function.node, other, [*parameters.values()], {})
        if entry.cls is not None and not entry.name.endswith(".forward") and _is_report(result):
            return None, None, opened  # a method that measures or describes the model is not what is exported of it
        if observed is None:
            frame.summary.facts.append(Returned(frame.site(entry.function.node), result, bool(given)))
    except FuelExhausted:
        return frame.summary, f"{entry.name} is too large to analyze completely", opened
    except RecursionError:
        return frame.summary, f"{entry.name} is nested too deeply to analyze completely", opened
    except Interrupted:
        raise
    except Exception as error:  # one entry's failure must not cost the others their findings
        return frame.summary, f"internal error in {entry.name}: {type(error).__name__}: {error}", opened
    finally:
        run.learns_ranks = False
    return frame.summary, None, opened
