"""Watching a Python function from within: whoever holds it, under whatever name, calls the same object as before.

The function is compiled again from its own source, on its own lines, with a call of ours where it begins, returns and
raises. So its identity, its signature and the traceback of an error that passes through it stay what they were, and
names that were bound to it before (`from torch.export import export`, `functools.partial(export, …)`) are watched too.
"""

from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Callable
from typing import Any, Protocol

_BEGIN, _WATCHED = "__exportdb_begin", "__exportdb_watched"


class Observer(Protocol):
    """What one call is reported to."""

    def returned(self, value: Any) -> Any:
        """The call is about to return `value`; what this gives is returned."""

    def raised(self, error: BaseException) -> None:
        """The call is about to raise `error`."""


class NotWatched(Exception):
    """The function has no source that can be compiled again; the message says which."""


def watch(function: Callable[..., Any], begin: Callable[[dict[str, Any]], Observer]) -> types.FunctionType:
    """Report every call of `function`; the result is a function that does the same and is not watched.

    `begin` gets the arguments by parameter, defaults included, before the first line of the function runs.

    Raises:
        NotWatched: it is not written in Python, is a closure, or its source cannot be had.
    """
    target: Any = inspect.unwrap(function)
    if not isinstance(target, types.FunctionType) or target.__code__.co_freevars:
        raise NotWatched(f"{function!r} is no plain function")
    plain = types.FunctionType(target.__code__, target.__globals__, target.__name__, target.__defaults__)
    plain.__kwdefaults__ = target.__kwdefaults__

    def begun(given: dict[str, Any]) -> Observer:
        return begin({name: value for name, value in given.items() if name != _WATCHED})

    target.__code__ = _compiled(target, begun)
    return plain


def _compiled(function: types.FunctionType, begin: Callable[..., Any]) -> types.CodeType:
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse("".join(lines))
    except (OSError, SyntaxError, TypeError) as error:
        raise NotWatched(f"{function.__qualname__} has no source: {error}") from error
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise NotWatched(f"{function.__qualname__} is no plain function")
    ast.increment_lineno(tree, first - 1)
    definition.decorator_list.clear()
    _Returns().visit(definition)
    _surround(definition)
    ast.fix_missing_locations(tree)
    flags = function.__code__.co_flags & _future_flags()
    module = compile(tree, function.__code__.co_filename, "exec", flags=flags, dont_inherit=True)
    code = next(c for c in module.co_consts if isinstance(c, types.CodeType) and c.co_name == function.__name__)
    if code.co_freevars or code.co_varnames[: code.co_argcount] != function.__code__.co_varnames[: code.co_argcount]:
        raise NotWatched(f"{function.__qualname__} is not what its source says")
    # A constant of the code may be any object: so nothing has to be put into the globals of torch's module.
    return code.replace(co_consts=tuple(begin if constant == _BEGIN else constant for constant in code.co_consts))


def _future_flags() -> int:
    import __future__

    return sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


class _Returns(ast.NodeTransformer):
    """`return value` as `return watched.returned(value)`, of the function itself."""

    def __init__(self) -> None:
        self._inside = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """The outermost function alone."""
        if self._inside:
            return node
        self._inside = True
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """What is defined inside returns to somebody else."""
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """As above."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """As above."""
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """One return."""
        value = node.value or ast.Constant(None)
        node.value = ast.copy_location(_call("returned", value), node.value or node)
        return node


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(_WATCHED, ast.Load()), name, ast.Load()), [argument], [])


def _surround(definition: ast.FunctionDef) -> None:
    """The body in a `try` whose handler reports and raises on; Python shows the line that raised first."""
    documented = ast.get_docstring(definition, clean=False) is not None
    head, body = definition.body[:documented], definition.body[documented:]
    begin = ast.parse(f"{_WATCHED} = {_BEGIN!r}\n{_WATCHED} = {_WATCHED}(locals())").body
    report = ast.Expr(_call("raised", ast.Name("__exportdb_error", ast.Load())))
    handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), "__exportdb_error", [report, ast.Raise()])
    end = ast.Return(_call("returned", ast.Constant(None)))
    guarded = ast.Try([*body, end] if body else [end], [handler], [], [])
    place = body[0] if body else definition
    for statement in begin:
        for part in ast.walk(statement):
            if isinstance(part, (ast.expr, ast.stmt)):
                ast.copy_location(part, place)
    for part in ast.walk(guarded):
        if isinstance(part, (ast.expr, ast.stmt, ast.excepthandler)) and not hasattr(part, "lineno"):
            ast.copy_location(part, place)
    definition.body = [*head, *begin, guarded]
