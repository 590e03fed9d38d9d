"""The iterations that an export call runs in: those of the loops and comprehensions around it whose elements are written out, and
those of a test that `parametrize` gives several sets of arguments.

    for model, args in [(Net(), (x,)), (Other(), (x, y))]:
        torch.export.export(model, args)

In each iteration the names have what they are given in it.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import dotted
from exportdb_rules.export_calls import Scope
from exportdb_rules.namespaces import Local
from exportdb_rules.source import inner_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from exportdb_rules.export_calls import ExportCall

# So many iterations of a call.
_MOST: Final = 64
_GIVEN: Final = ("model", "args", "kwargs", "dynamic_shapes")


def iterations(call: ExportCall) -> list[ExportCall]:
    """A call in each iteration of the loops around it whose elements are written out, and for each set of arguments that
    `parametrize` gives the test that it stands in."""
    around = [one for one in (*_parametrized(call.scope), *_loops(call)) if one.given]
    if not around:
        return [call]
    first = min(one.row for one in around)
    found: list[ExportCall] = []
    for chosen in islice(product(*[one.given for one in around]), _MOST):
        passed = {name: value for names in chosen for name, value in names.items()}
        found.append(replace(changed(call, _InIteration(passed, call.scope, first).written_out), passed_on=True))
    return found


@dataclass(frozen=True, slots=True)
class _Iterations:
    """What gives names their values, one set after the other; `row` is where it stands."""

    row: int
    given: list[dict[str, ast.expr]]


def _loops(call: ExportCall) -> Iterator[_Iterations]:
    """The loops and comprehensions around a call, the outermost first."""
    row = call.scope.row
    block: Iterable[ast.stmt] = call.scope.names.body
    while (statement := next((s for s in block if s.lineno <= row <= (s.end_lineno or row)), None)) is not None:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            yield _Iterations(statement.lineno, _given(call.scope, statement.target, statement.iter))
        block = [*inner_statements(statement)]
        if not any(s.lineno <= row <= (s.end_lineno or row) for s in block):
            for node in ast.walk(statement):
                generators = getattr(node, "generators", ())
                if generators and any(inner is call.place for inner in ast.walk(node)):
                    yield from [_Iterations(row, _given(call.scope, part.target, part.iter)) for part in generators]


def _parametrized(scope: Scope) -> Iterator[_Iterations]:
    """What the decorators of a test give to its parameters."""
    function = scope.names.node if isinstance(scope.names, Local) else None
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call) or any(keyword.arg == "indirect" for keyword in decorator.keywords):
            continue  # a fixture makes something of what it is given
        name = dotted(decorator.func)
        if name.rpartition(".")[2] == "parametrize" and len(decorator.args) == 2:
            names, values = decorator.args
            listed = names.elts if isinstance(names, (ast.Tuple, ast.List)) else [names]
            words = [part.value for part in listed if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            words = [word.strip() for word in ",".join(words).split(",")]
            target = _target(words, alone=isinstance(names, ast.Constant))
            yield _Iterations(function.lineno, _given(scope, target, values))
        elif name == "parameterized.expand" and decorator.args:
            spec = function.args
            target = _target([arg.arg for arg in (*spec.posonlyargs, *spec.args) if arg.arg != "self"], alone=False)
            yield _Iterations(function.lineno, _given(scope, target, decorator.args[0]))


def _target(names: list[str], *, alone: bool) -> ast.expr:
    """Names as the target of a loop; one that stands `alone` is given the element itself."""
    parts: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    return parts[0] if alone and len(parts) == 1 else ast.Tuple(parts, ast.Store())


def _given(scope: Scope, target: ast.expr, iterated: ast.expr) -> list[dict[str, ast.expr]]:
    """What the names of a target are given, by the elements of what is iterated; [] where these are not written out."""
    return [dict(_matched(scope, target, element)) for element in _elements(scope, iterated)]


def _matched(scope: Scope, target: ast.expr, element: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, element
    elif isinstance(target, (ast.Tuple, ast.List)):
        written = scope.follow(element)
        parts = written.elts if isinstance(written, (ast.Tuple, ast.List)) else _of_param(written)
        if len(parts) == len(target.elts):
            for one, part in zip(target.elts, parts, strict=True):
                yield from _matched(scope, one, part)


def _elements(scope: Scope, node: ast.expr) -> list[ast.expr]:
    """The elements of a list, a tuple or a dict that is written out, as a loop over it has them."""
    node = scope.follow(node)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        found = [given[0] if len(given := _of_param(element)) == 1 else element for element in node.elts]
        return [] if any(isinstance(element, ast.Starred) for element in found) else found
    if isinstance(node, ast.Dict):
        return [key for key in node.keys if key is not None] if None not in node.keys else []
    if not isinstance(node, ast.Call) or node.keywords:
        return []
    name = dotted(node.func)
    if name in ("list", "tuple", "reversed", "tqdm") and len(node.args) == 1:
        return _elements(scope, node.args[0])
    if name == "enumerate" and len(node.args) == 1:
        listed = _elements(scope, node.args[0])
        return [_pair(ast.copy_location(ast.Constant(at), element), element) for at, element in enumerate(listed)]
    if name == "zip":
        return [_pair(*parts) for parts in zip(*[_elements(scope, part) for part in node.args], strict=False)]
    if isinstance(node.func, ast.Attribute) and not node.args:
        held = scope.follow(node.func.value)
        if isinstance(held, ast.Dict) and None not in held.keys:
            if node.func.attr == "values":
                return held.values
            if node.func.attr == "items":
                return [_pair(key, value) for key, value in zip(held.keys, held.values, strict=True) if key is not None]
    return []


def _of_param(element: ast.expr) -> list[ast.expr]:
    """The arguments of a `pytest.param`; none of anything else."""
    if isinstance(element, ast.Call) and dotted(element.func).rpartition(".")[2] == "param":
        return element.args
    return []


def _pair(*parts: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Tuple([*parts], ast.Load()), parts[-1])


class Substitution(ast.NodeTransformer):
    """Makes other expressions of expressions."""

    def written_out(self, node: ast.expr) -> ast.expr:
        """A copy of an expression, rewritten."""
        return self.visit(copy.deepcopy(node))


class _InIteration(Substitution):
    """Expressions in a loop as they are in one iteration of it: with what its names are given, and what the statements of the
    loop before them made of these."""

    def __init__(self, passed: Mapping[str, ast.expr], scope: Scope, first: int) -> None:
        self._passed = passed
        self._scope = scope
        self._first = first

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a name stands for in the iteration."""
        passed = self._passed.get(node.id)
        if passed is not None:
            return copy.deepcopy(passed)
        bound = self._scope.binding(node.id) if node.id in self._scope.names.scope else None
        if not isinstance(bound, ast.expr) or not self._first <= bound.lineno < self._scope.row:
            return node
        return _InIteration(self._passed, Scope(self._scope.names, bound.lineno), self._first).written_out(bound)


def changed(call: ExportCall, change: Callable[[ast.expr], ast.expr]) -> ExportCall:
    """A call of whose model, inputs and options something was made."""
    parts = {name: change(part) for name in _GIVEN if (part := getattr(call, name)) is not None}
    return replace(call, options={name: change(part) for name, part in call.options.items()}, **parts)
