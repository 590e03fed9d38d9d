"""How a file calls export itself, at any place in it: names that came and went, arguments that are gone.

This looks at the whole file, not only at what entries reach; so it does nothing unless the text holds a name in
question, and it leaves alone what stands in a `try`, behind a question for the version, or where an error is expected.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from exportdb_rules import onnx_calls
from exportdb_rules.definitions import parameters_of
from exportdb_rules.export_arguments import argument_mismatches
from exportdb_rules.export_calls import Scope, export_calls, is_none
from exportdb_rules.facts import ApiUsed, OnnxAxes, OnnxOption, ProgramMisused
from exportdb_rules.namespaces import namespaces
from exportdb_rules.project import FunctionInfo
from exportdb_rules.values import Const, Site, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.export_calls import ExportCall
    from exportdb_rules.facts import AxesKind, Fact
    from exportdb_rules.interpreter.machine import AnalysisState
    from exportdb_rules.project import Module, Project

# Names that some version of torch has or had.
NAMES: Final = frozenset(
    {
        "torch._export.capture_pre_autograd_graph",
        "torch.export.dynamic_dim",
        "torch.export.export_for_training",
        "torch._constrain_as_value",
        "torch._constrain_as_size",
        "torch._check_is_size",
        "torch.sym_constrain_range",
        "functorch.experimental.control_flow.cond",
        "functorch.experimental.control_flow.map",
    }
)
EXPORT: Final = "torch.export.export"
_WORDS: Final = ({name.rpartition(".")[2] for name in NAMES} - {"cond", "map"}) | {"control_flow"}
_CALL: Final = re.compile(r"\bexport\s*\(")
_VERSION: Final = re.compile("version|hasattr|TYPE_CHECKING", re.IGNORECASE)


def api_uses(run: AnalysisState, module: Module) -> Iterator[Fact]:
    """What a file does with the names of export's own interface, in the order of its text; then whether the calls of export
    functions fit their models."""
    calls = module.mentions("export") and _CALL.search(module.text) is not None
    nodes = [*_nodes(module.body)] if calls or any(map(module.mentions, _WORDS)) else []
    yield from _names_used(run.project, module, nodes)
    made = [node for node, _ in nodes if isinstance(node, ast.Call)] if calls else []
    if made:
        yield from _programs_misused(run.project, module, made)
    if made and module.mentions("onnx"):
        yield from _onnx_calls(run, module, frozenset(map(id, made)))
    if made or module.mentions("example_args"):
        yield from argument_mismatches(run, module, frozenset(map(id, made)))


def _names_used(project: Project, module: Module, nodes: list[tuple[ast.AST, frozenset[str]]]) -> Iterator[ApiUsed]:
    for node, bound in nodes:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in NAMES:
                    yield ApiUsed(Site(module, node), name)
        elif isinstance(node, ast.Attribute):
            if f".{node.attr}" in _ENDS and (name := project.resolve_expression(module, node)) in NAMES:
                yield ApiUsed(Site(module, node), str(name))
        elif isinstance(node, ast.Call) and node.args and _ends(node.func) == "export":
            if project.resolve_expression(module, node.func) != EXPORT:
                continue
            if any(keyword.arg == "constraints" for keyword in node.keywords):
                yield ApiUsed(Site(module, node), f"{EXPORT}(constraints=)")
            first = node.args[0]
            if isinstance(first, ast.Name) and first.id not in bound:
                target = project.resolve_expression(module, first)
                if isinstance(target, FunctionInfo) and len(module.scope.get(first.id, ())) == 1:
                    yield ApiUsed(Site(module, node), f"{EXPORT}(function)", first.id)


def _programs_misused(project: Project, module: Module, calls: list[ast.Call]) -> Iterator[ProgramMisused]:
    """Calls of what export functions return, where a name stands for nothing else."""
    locals_ = namespaces(module)
    inside = {id(child): local for local in locals_.values() for child in ast.walk(ast.Module(local.body, []))}
    for node in calls:
        scope = Scope(inside.get(id(node), module), node.lineno)
        if _is_program(project, scope, node.func):
            yield ProgramMisused(Site(module, node), "call", ast.unparse(node.func))
        elif isinstance(node.func, ast.Attribute) and node.func.attr in ("eval", "train"):
            holder = node.func.value
            if _is_program(project, scope, holder):
                kind = "program-eval" if node.func.attr == "eval" else "program-train"
                yield ProgramMisused(Site(module, node), kind, ast.unparse(holder))
            elif _is_module_of_program(project, scope, scope.follow(holder)):
                yield ProgramMisused(
                    Site(module, node), "eval" if node.func.attr == "eval" else "train", ast.unparse(holder)
                )


def _onnx_calls(run: AnalysisState, module: Module, calls: frozenset[int]) -> Iterator[OnnxOption | OnnxAxes]:
    """The options that `torch.onnx.export` is given; of these the axes, unless they are ignored."""
    project = run.project
    for call in export_calls(module):
        if (
            id(call.node) not in calls
            or project.resolve_expression(call.scope.names, call.node.func) != onnx_calls.EXPORT
        ):
            continue
        program = _is_program(project, call.scope, call.model)
        file = call.options.get("f")
        saved = file is not None and not is_none(file)
        shapes = call.dynamic_shapes is not None
        for keyword in call.node.keywords:
            if keyword.arg is None:
                continue
            written = call.scope.follow(keyword.value)
            value = written.value if isinstance(written, ast.Constant) and type(written.value) is int else None
            dynamo = True if program else call.dynamo
            yield OnnxOption(Site(module, keyword), keyword.arg, dynamo, saved, shapes, program, value)
            if keyword.arg == "dynamic_axes" and not (shapes or program or is_none(keyword.value)):
                kind, parts = _axes_kind(run, call)
                yield OnnxAxes(Site(module, keyword), kind, dynamo, parts)


def _axes_kind(run: AnalysisState, call: ExportCall) -> tuple[AxesKind, tuple[str, ...]]:
    axes, forward = onnx_calls.read_axes(call), onnx_calls.forward_of(run.project, call)
    parameters = None if forward is None else onnx_calls.taken(call, parameters_of(forward))
    values = [run.value_of(call.scope.names, node) for node in onnx_calls.values_of(call)]
    # A number or None is an input to the exporter; what holds several tensors is as many.
    if axes is None or parameters is None or any(type(value) not in (Tensor, Const) for value in values):
        return "unknown", ()
    given = axes.given()
    if len(given) != len(parameters):
        return "count", (str(len(given)), str(len(parameters)))
    for name, said in given:
        negative = next((axis for axis in said if axis < 0), None)
        if negative is not None:
            return "negative", (name, str(negative))
    meant = axes.meant(parameters)
    for parameter, wanted, (name, said) in zip(parameters, meant or (), given, strict=False):
        if said != wanted:
            return "other", (parameter, name)
    return "same", ()


def _is_module_of_program(project: Project, scope: Scope, node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "module"
        and _is_program(project, scope, node.func.value)
    )


def _is_program(project: Project, scope: Scope, node: ast.expr) -> bool:
    """Whether an expression is the ExportedProgram that a call of an export function returns."""
    made = scope.follow(node)
    return isinstance(made, ast.Call) and project.resolve_expression(scope.names, made.func) in _PROGRAMS


_PROGRAMS: Final = frozenset({EXPORT, "torch.export.load", "torch.export.draft_export"})
_ENDS: Final = frozenset({"." + name.rpartition(".")[2] for name in NAMES})


def _ends(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _nodes(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """All nodes that run whatever the version, each with the names that functions around it bind."""
    empty: frozenset[str] = frozenset()
    stack: list[tuple[ast.AST, frozenset[str]]] = [(node, empty) for node in reversed(body)]
    while stack:
        node, bound = stack.pop()
        if isinstance(node, ast.Try):
            children: list[ast.AST] = [*node.orelse, *node.finalbody]
        elif _is_conditional(node):
            children = []
        else:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                bound = bound | _bound(node)
            yield node, bound
            children = list(ast.iter_child_nodes(node))
        stack.extend((child, bound) for child in reversed(children))


def _is_conditional(node: ast.AST) -> bool:
    """Whether what a statement holds runs for some versions only, or is expected to raise."""
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(map(_expects_error, node.items))
    return isinstance(node, ast.If) and _VERSION.search(ast.unparse(node.test)) is not None


def _expects_error(item: ast.withitem) -> bool:
    """Whether a context is one in which an error is expected: `pytest.raises`, `self.assertRaises…`, `suppress`."""
    context = item.context_expr
    name = _ends(context.func) if isinstance(context, ast.Call) else ""
    return name in ("raises", "suppress") or name.startswith("assertRaises")


def _bound(function: ast.AST) -> frozenset[str]:
    """The names that a function takes or assigns."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
    return frozenset(found)
