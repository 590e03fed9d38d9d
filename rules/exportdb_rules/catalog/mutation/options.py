"""What a call reads of the one before it where the options of `forward` are left at their defaults.

`source = self.state`, `if reset_state: source = None`: with `reset_state=True` every call begins anew.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.definitions import FunctionInfo
from exportdb_rules.namespaces import local_classes
from exportdb_rules.project import dotted

if TYPE_CHECKING:
    from exportdb_rules.definitions import ClassInfo, Module
    from exportdb_rules.project import Project
    from exportdb_rules.values import Site

_Known = dict[str, bool]
# How deep the functions that are given a value are gone through.
_MAX_CALLS = 2


def begun_anew_by_default(site: Site, method: ast.FunctionDef, name: str, project: Project) -> bool:
    """Whether the `forward` of a method's class, where its options keep their defaults, comes to a write of an attribute, but
    reads nothing of what another call left there."""
    module = site.module
    cls = next((one for one in (*module.classes, *local_classes(module)) if method in one.node.body), None)
    forward = None if cls is None else cls.methods.get("forward")
    if cls is None or forward is None or not isinstance(forward.node, ast.FunctionDef):
        return False
    stored = {n.id for n in ast.walk(forward.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    options = {option: default for option, default in _options(forward.node.args).items() if option not in stored}
    if not options or any(_leaves_out(n, site.node, options) for n in ast.walk(forward.node)):
        return False
    return not _Reader(module, project, cls).read(forward.node.body, f"self.{name}", options)


def _leaves_out(branch: ast.AST, node: ast.AST, known: _Known) -> bool:
    """Whether a node is in the arm of a branch that is not taken."""
    if not isinstance(branch, ast.If) or (taken := _decided(branch.test, known)) is None:
        return False
    return any(n is node for statement in (branch.orelse if taken else branch.body) for n in ast.walk(statement))


def _options(args: ast.arguments) -> _Known:
    """The parameters that are True or False by default."""
    every = [*args.posonlyargs, *args.args]
    pairs = [
        *zip(reversed(every), reversed(args.defaults), strict=False),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    return {a.arg: d.value for a, d in pairs if isinstance(d, ast.Constant) and isinstance(d.value, bool)}


def _decided(test: ast.expr, known: _Known) -> bool | None:
    """What a condition says if the options are known."""
    if isinstance(test, ast.Name):
        return known.get(test.id)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        answer = _decided(test.operand, known)
        return None if answer is None else not answer
    if isinstance(test, ast.BoolOp):
        answers = [_decided(value, known) for value in test.values]
        decisive = isinstance(test.op, ast.Or)
        return decisive if decisive in answers else None if None in answers else not decisive
    return None


class _Reader:
    def __init__(self, module: Module, project: Project, cls: ClassInfo | None, calls: int = 0) -> None:
        self._module, self._project, self._cls, self._calls = module, project, cls, calls

    def read(self, body: list[ast.stmt], name: str, known: _Known) -> bool | None:
        """Whether statements read a value: None where they do not, and give its name no other."""
        for at, statement in enumerate(body):
            if isinstance(statement, ast.If):
                taken = _decided(statement.test, known)
                if taken is None and self._takes(statement.test, name, known):
                    return True
                arms = (
                    [statement.body if taken else statement.orelse]
                    if taken is not None
                    else [statement.body, statement.orelse]
                )
                answers = [self.read(arm, name, known) for arm in arms]
                if True in answers:
                    return True
                left = taken is not None and bool(arms[0]) and isinstance(arms[0][-1], (ast.Return, ast.Raise))
                if None not in answers or left:
                    return False
            elif isinstance(statement, ast.With):
                answer = self.read(statement.body, name, known)
                if answer is not None:
                    return answer
            elif not isinstance(statement, ast.Assign):
                if any(self._takes(node, name, known) for node in ast.iter_child_nodes(statement)):
                    return True
            else:
                target = dotted(statement.targets[0]) if len(statement.targets) == 1 else ""
                if self._takes(statement.value, name, known):
                    passed_on = _may_be(statement.value, name) and target not in ("", name)
                    if not passed_on or self.read(body[at + 1 :], target, known) is not False:
                        return True
                if target == name:
                    return False
        return None

    def _takes(self, node: ast.AST, name: str, known: _Known) -> bool:
        """Whether an expression takes a value."""
        if isinstance(node, (ast.Name, ast.Attribute)) and dotted(node) == name:
            return isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.Attribute) and name.startswith("self.") and dotted(node.value) == "self":
            return self._does(node.attr, None, name, known)
        if isinstance(node, ast.IfExp) and (taken := _decided(node.test, known)) is not None:
            return self._takes(node.body if taken else node.orelse, name, known)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and dotted(node.func.value) == "self":
            given = [*node.args, *(k.value for k in node.keywords)]
            return any(self._takes(value, name, known) for value in given) or (
                name.startswith("self.") and self._does(node.func.attr, node, name, known)
            )
        if isinstance(node, ast.Call) and self._calls < _MAX_CALLS:
            given = [*enumerate(node.args), *((k.arg, k.value) for k in node.keywords)]
            function = self._project.resolve_expression(self._module, node.func)
            if isinstance(function, FunctionInfo) and isinstance(function.node, ast.FunctionDef):
                return any(
                    self._takes(value, name, known)
                    and not (dotted(value) == name and self._leaves(function, node, place, known))
                    for place, value in given
                )
        return any(self._takes(child, name, known) for child in ast.iter_child_nodes(node))

    def _does(self, name: str, call: ast.Call | None, read: str, known: _Known) -> bool:
        """Whether a method that is called, or a property that is asked for, reads a value of `self`."""
        method = None if self._cls is None else self._cls.find(name, self._project)
        if method is None or not isinstance(method.node, ast.FunctionDef):
            return False
        if self._calls >= _MAX_CALLS:
            return True
        options = _options(method.node.args) if call is None else _given(method.node, call, known, 1)
        inner = _Reader(method.module, self._project, self._cls, self._calls + 1)
        return bool(inner.read(method.node.body, read, options))

    def _leaves(self, function: FunctionInfo, call: ast.Call, place: int | str | None, known: _Known) -> bool:
        """Whether a function that is given a value at some place does not read it."""
        assert isinstance(function.node, ast.FunctionDef)
        names = _positional(function.node)
        name = place if not isinstance(place, int) else names[place] if place < len(names) else None
        inner = _Reader(function.module, self._project, None, self._calls + 1)
        return name is not None and not inner.read(function.node.body, name, _given(function.node, call, known))


def _positional(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]


def _given(function: ast.FunctionDef, call: ast.Call, known: _Known, bound: int = 0) -> _Known:
    """What is known of the options of a function that a call gives others, or leaves at their defaults."""
    given = dict(zip(_positional(function)[bound:], call.args, strict=False))
    given |= {k.arg: k.value for k in call.keywords if k.arg is not None}
    options = _options(function.args)
    for parameter, value in given.items():
        answer = (
            value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else _decided(value, known)
        )
        options.pop(parameter, None)
        if answer is not None:
            options[parameter] = answer
    return options


def _may_be(node: ast.expr, name: str) -> bool:
    """Whether an expression is a value of that name, or another."""
    if isinstance(node, ast.IfExp):
        parts = [part for part in (node.body, node.orelse) if name in ast.unparse(part)]
        return name not in ast.unparse(node.test) and all(_may_be(part, name) for part in parts)
    return dotted(node) == name
