"""What a file, and the project's settings, say of the inputs of an entry: the first of these that says something.

A comment `# exportdb: args=… kwargs=… dynamic_shapes=…` above the class or its object, `[tool.exportdb.targets]`,
ExportDB's names at the top level (`example_args`, `example_kwargs`, `dynamic_shapes`, beside `model` or beside the one
model class of the file), and the calls of export functions in the file.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from exportdb_rules.declared import names_target
from exportdb_rules.definitions import ClassInfo, FunctionInfo, Module
from exportdb_rules.export_calls import ANYWHERE, Origin, Scope, exported, origin
from exportdb_rules.exporting import calls_of, exports_of, origin_of
from exportdb_rules.input_comment import CommentError, above
from exportdb_rules.namespaces import Local
from exportdb_rules.onnx_calls import shapes_of_axes, through_export
from exportdb_rules.report import DEFAULT_TORCH
from exportdb_rules.shape_spec import dimensions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from exportdb_rules.declared import Written
    from exportdb_rules.dynamic_shapes import Dimensions
    from exportdb_rules.export_calls import ExportCall
    from exportdb_rules.project import Project

EXAMPLES = ("example_args", "example_kwargs", "dynamic_shapes")
# What a comment or a setting may speak of although the file does not import it.
_IMPORTS = "import torch\n from torch import nn\n import torch.nn.functional as F\n from torch.export import Dim\n"


@dataclass(frozen=True)
class Specification:
    """What `dynamic_shapes` is given, beside what `args` is, and where the names in them mean what they mean."""

    scope: Scope
    shapes: ast.expr
    args: ast.expr | None


@dataclass(frozen=True)
class FileInputs:
    """Inputs of an entry as expressions, which mean what they mean in the namespace `names`; None where nothing is given.

    `dimensions` are what is declared to be dynamic, None if nothing is.
    """

    names: Module
    args: ast.expr | None = None
    kwargs: ast.expr | None = None
    dimensions: Dimensions | None = None
    strict: bool | None = None
    written: bool = True
    """Whether the expressions stand in the file, at the places that they say."""
    specification: Specification | None = None
    origin: Origin = field(default_factory=Origin)
    """What makes the object that is given them; where that is not known, the class is called without arguments."""


def inputs_in_file(
    project: Project,
    target: ClassInfo | FunctionInfo,
    parameters: Sequence[str],
    targets: Iterable[Written] = (),
    torch_version: str = DEFAULT_TORCH,
) -> list[FileInputs]:
    """What is said of the inputs of a class, or of a function that is exported itself."""
    module = target.module.file
    found = _in_comment(module, target, parameters)
    if found is None:
        found = _in_settings(target, parameters, targets)
    if found is None:
        found = _by_convention(project, module, target, parameters)
    if found is not None and (found.args is not None or found.kwargs is not None or not found.written):
        return [found]
    calls = [
        replace(_of_call(call, parameters, torch_version), origin=origin_of(call)) for call in calls_of(module, target)
    ]
    # A name `dynamic_shapes` without an example beside it is most often what a call is given.
    return calls or ([] if found is None else [found])


def _of_call(call: ExportCall, parameters: Sequence[str], torch_version: str) -> FileInputs:
    found = _inputs(call.scope, call.args, call.kwargs, call.dynamic_shapes, parameters, call.strict)
    if call.passed_on:
        found = replace(found, specification=None)
    axes = shapes_of_axes(call, parameters) if through_export(call, torch_version) else None
    declared = None if axes is None else dimensions(call.scope, axes, parameters, call.args)
    if declared is None or not declared.any:
        return found
    return replace(found, dimensions=replace(declared, example=found.args))


def _inputs(
    scope: Scope,
    args: ast.expr | None,
    kwargs: ast.expr | None,
    shapes: ast.expr | None,
    parameters: Sequence[str],
    strict: bool | None = None,
) -> FileInputs:
    declared = None if shapes is None else dimensions(scope, shapes, parameters, args)
    if declared is not None and not declared.any:
        declared = None
    given = None if args is None else scope.written_out(args)
    return FileInputs(
        scope.names,
        given,
        None if kwargs is None else scope.written_out(kwargs),
        None if declared is None else replace(declared, example=given),
        strict,
        specification=None if shapes is None else Specification(scope, shapes, args),
    )


def _from_text(names: Module, fields: Mapping[str, str], parameters: Sequence[str]) -> FileInputs | None:
    """Inputs that are written outside the code."""
    lines = [f" {key} = ({text})\n" for key, text in fields.items() if text]
    try:
        body = ast.parse(f"def given():\n {_IMPORTS}{''.join(lines)} pass").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    assert isinstance(body, ast.FunctionDef)
    scope = Scope(Local(body, names, names.prefix), ANYWHERE)
    bound = [scope.names.scope.get(key) for key in ("args", "kwargs", "dynamic_shapes")]
    args, kwargs, shapes = [one[-1] if one and isinstance(one[-1], ast.expr) else None for one in bound]
    found = _inputs(scope, args, kwargs, shapes, parameters)
    shown = None if found.dimensions is None else replace(found.dimensions, example=None)
    made = origin(scope, ast.Name("constructor", ast.Load()))
    return replace(found, dimensions=shown, written=False, origin=replace(made, chosen=(False,)))


def _in_comment(module: Module, target: ClassInfo | FunctionInfo, parameters: Sequence[str]) -> FileInputs | None:
    if not module.mentions("exportdb:"):
        return None
    places: list[ast.stmt] = [target.node] if not isinstance(target.node, ast.Lambda) else []
    for node in module.body:
        if isinstance(node, ast.Assign) and exported(Scope(module, ANYWHERE), node.value) is target:
            places.append(node)
    for node in places:
        first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]])
        try:
            comment = above(module.lines.rows, first)
        except CommentError:
            continue  # the export says what is wrong with it
        if comment is not None:
            found = _from_text(target.module, comment.fields, parameters)
            if found is not None and found.dimensions is not None:
                shown = _placed(comment.fields.get("args", ""), comment.place("args", module.lines.rows))
                found = replace(found, dimensions=replace(found.dimensions, example=shown))
            if found is None or found.origin.construction is not None or not isinstance(node, ast.Assign):
                return found
            return replace(found, origin=origin(Scope(module, ANYWHERE), node.value))
    return None


def _placed(text: str, place: tuple[int, int] | None) -> ast.expr | None:
    """An expression of a comment with the places that it has in the file; None where they are not known."""
    if place is None:
        return None
    tree = ast.parse(text, mode="eval").body
    row, column = place
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.lineno, node.end_lineno = row, row
            node.col_offset, node.end_col_offset = node.col_offset + column, (node.end_col_offset or 0) + column
    return tree


def _in_settings(
    target: ClassInfo | FunctionInfo, parameters: Sequence[str], targets: Iterable[Written]
) -> FileInputs | None:
    for one in targets:
        if names_target(one.key, target.name, target.module.filename):
            fields = {
                "args": one.args, "kwargs": one.kwargs, "dynamic_shapes": one.dynamic_shapes,
                "constructor": one.constructor,
            }  # fmt: skip
            return _from_text(target.module, fields, parameters)
    return None


def _by_convention(
    project: Project, module: Module, target: ClassInfo | FunctionInfo, parameters: Sequence[str]
) -> FileInputs | None:
    if not any(name in module.scope for name in EXAMPLES) or shown_model(project, module) is not target:
        return None
    return _shown(module, parameters)


def _shown(module: Module, parameters: Sequence[str]) -> FileInputs:
    """What ExportDB's names at the top level of a file say."""
    scope = Scope(module, ANYWHERE)
    args, kwargs, shapes = (scope.binding(name) for name in EXAMPLES)
    found = _inputs(
        scope,
        args if isinstance(args, ast.expr) else None,
        kwargs if isinstance(kwargs, ast.expr) else None,
        shapes if isinstance(shapes, ast.expr) else None,
        parameters,
    )
    return replace(found, origin=origin(scope, ast.Name("model", ast.Load())))


@dataclass(frozen=True, slots=True)
class ExportedObject:
    """A model that a file exports and that is an object of no class of the project, as far as the file says.

    `names` is where the expressions mean what they mean; `made` is the one that makes the model, `place` what the exporter is
    given. `call` is None where ExportDB's names at the top level say that it is exported.
    """

    names: Module
    made: ast.expr
    place: ast.expr
    call: ExportCall | None

    def inputs(self, parameters: Sequence[str], torch_version: str) -> FileInputs:
        """What it is given, by the names of its parameters."""
        if self.call is None:
            return _shown(self.names, parameters)
        return replace(_of_call(self.call, parameters, torch_version), origin=origin_of(self.call))


def exported_objects(module: Module) -> list[ExportedObject]:
    """The models that a file exports and that are objects of no class of the project, as far as the file says."""
    found = [
        ExportedObject(call.scope.names, call.scope.follow(call.model), call.model, call)
        for call in exports_of(module).calls
        if exported(call.scope, call.model) is None
    ]
    shown = Scope(module, ANYWHERE)
    model = shown.binding("model")
    known = not any(name in module.scope for name in EXAMPLES) or any(one.made is model for one in found)
    if isinstance(model, ast.expr) and not known and exported(shown, model) is None:
        found.insert(0, ExportedObject(module, model, model, None))
    return found


def shown_model(project: Project, module: Module) -> ClassInfo | FunctionInfo | None:
    """What ExportDB's names at the top level of a file speak of: what `model` is, else the one model class of the file."""
    if "model" in module.scope:
        return exported(Scope(module, ANYWHERE), ast.Name("model", ast.Load()))
    classes = [cls for cls in module.classes if cls.is_module(project)]
    return classes[0] if len(classes) == 1 else None
