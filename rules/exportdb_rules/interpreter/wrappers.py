"""Functions under decorators of the project: a call of one runs what the decorators made of it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.interpreter.dispatch import call
from exportdb_rules.interpreter.machine import Frame, FuelExhausted
from exportdb_rules.project import ClassInfo, FunctionInfo
from exportdb_rules.values import Function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.interpreter.machine import AnalysisState


DISABLING: Final = ("torch.compiler.disable", "torch._dynamo.disable", "torch._dynamo.eval_frame.disable")


def wrapper_of(run: AnalysisState, info: FunctionInfo) -> Function | None:
    """What stands under the name of a decorated function: the function that its decorators return in its place.

    None where that is the function itself, or not known: of a library's decorators it is taken to be the function.
    """
    if not info.decorators or isinstance(info.node, ast.Lambda):
        return None
    if id(info) not in run.wrappers:
        run.wrappers[id(info)] = None  # a decorator that calls what it decorates finds the function itself
        run.wrappers[id(info)] = _decorated(run, info, info.node.decorator_list)
    return run.wrappers[id(info)]


def disabled(run: AnalysisState, info: FunctionInfo) -> ast.expr | None:
    """The decorator that keeps Dynamo out of a function."""
    if isinstance(info.node, ast.Lambda) or not any(name.endswith("disable") for name in info.decorators):
        return None
    for decorator in info.node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = run.project.resolve_expression(info.module, target)
        if isinstance(found, str) and found in DISABLING:
            return decorator
    return None


def name_of_disabling(decorator: ast.expr) -> str:
    """What `compiler.disable` is called with: export refuses `recursive=False` in both modes (measured on torch 2.13)."""
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    alone = any(k.arg == "recursive" and isinstance(k.value, ast.Constant) and k.value.value is False for k in given)
    return "torch.compiler.disable(recursive=False)" if alone else "torch.compiler.disable()"


def _decorated(run: AnalysisState, info: FunctionInfo, decorators: list[ast.expr]) -> Function | None:
    """What decorators return one after the other, evaluated as the file is read: before any tracing."""
    found = plain = Function(info, owner=info.cls)
    frame = Frame(run, info.module, None)
    frame.traced = False
    for decorator in reversed(decorators):
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if not isinstance(run.project.resolve_expression(info.module, target), FunctionInfo):
            continue
        made = run.value_of(info.module, decorator)
        if type(made) is not Function:
            continue
        try:
            result = call(frame, decorator, made, [found], {})
        except FuelExhausted:
            return None
        if type(result) is Function and result.info is not info:
            found = result
            if found.closure is not None and not _rebinds(made.info):
                run.settled.add(id(found.closure))
    return None if found is plain else found


def replaces_forward(run: AnalysisState, cls: ClassInfo) -> bool:
    """Whether a decorator of a class puts another function in the place of its `forward`, which may call that or not."""
    known = run.replaced.get(id(cls))
    if known is None:
        known = run.replaced[id(cls)] = any(_assigns_forward(info) for info in _decorators(run, cls))
    return known


def _decorators(run: AnalysisState, cls: ClassInfo) -> Iterator[FunctionInfo]:
    """The functions that decorate a class, and the bases that it may have its `forward` from."""
    for one in cls.mro(run.project):
        if isinstance(one, ClassInfo):
            for decorator in one.node.decorator_list:
                target = decorator.func if isinstance(decorator, ast.Call) else decorator
                info = run.project.resolve_expression(one.module, target)
                if isinstance(info, FunctionInfo):
                    yield info
            if "forward" in one.methods:
                return


def _assigns_forward(info: FunctionInfo) -> bool:
    """Whether a function, or one inside of it, assigns to `forward` of something."""
    targets = [target for n in ast.walk(info.node) if isinstance(n, ast.Assign) for target in n.targets]
    return any(isinstance(target, ast.Attribute) and target.attr == "forward" for target in targets)


def _rebinds(info: FunctionInfo) -> bool:
    """Whether a function inside of one binds names of it anew."""
    return info.module.mentions("nonlocal") and any(isinstance(node, ast.Nonlocal) for node in ast.walk(info.node))
