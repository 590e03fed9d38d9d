"""Which calls export a model: those that are given it, and those of a function of the file that is given it.

    def save(model, args):
        return torch.export.export(model, args)

    save(Net(), (torch.randn(2),))

Of such a function each call is an export: what it is given stands in the place of the parameters. So does each round of
a loop over models that are written out, and each set of arguments that `parametrize` gives a test.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import defaults_of, dotted
from exportdb_rules.export_calls import Scope, assigned, calls_with, exported, exports_of, given, is_parameter
from exportdb_rules.namespaces import Local
from exportdb_rules.source import inner_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from exportdb_rules.definitions import ClassInfo, FunctionInfo, Module
    from exportdb_rules.export_calls import ExportCall

# So many calls of a function, and of one that calls it in turn.
_MOST: Final = (64, 16)
_GIVEN: Final = ("model", "args", "kwargs", "dynamic_shapes")
# What stands for nothing.
_UNKNOWN: Final = "…"


def calls_of(module: Module, target: ClassInfo | FunctionInfo) -> list[ExportCall]:
    """The calls of a file that export objects of a class, or a function."""
    read = exports_of(module)
    if read.by_model is None:
        read.by_model = {}
        for call in [one for written in read.calls for one in _as_called(written)]:
            model = exported(call.scope, call.model)
            if model is not None:
                read.by_model.setdefault(id(model), (model, []))[1].append(call)
    _, calls = read.by_model.get(id(target), (target, []))
    return calls


def _as_called(call: ExportCall, depth: int = 0) -> Iterator[ExportCall]:
    """A call, with what the function around it is given in each of its calls; as it is where nothing of that matters."""
    for each in _rounds(call):
        function = each.scope.names.node if isinstance(each.scope.names, Local) else None
        found: list[ExportCall] = []
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            reader = _Reader(each.scope)
            written = _changed(each, reader.written_out)
            if reader.parameters and depth < len(_MOST):
                for node, scope, passed in islice(_calls(each.scope.names.file, function), _MOST[depth]):
                    filled = _changed(written, _Filled(passed).written_out)
                    found += _as_called(replace(filled, scope=scope, passed_on=True, place=node), depth + 1)
            elif reader.attributes:
                each = written
        yield from found or [each]


def _changed(call: ExportCall, change: Callable[[ast.expr], ast.expr]) -> ExportCall:
    """A call of whose model, inputs and options something was made."""
    parts = {name: change(part) for name in _GIVEN if (part := getattr(call, name)) is not None}
    return replace(call, options={name: change(part) for name, part in call.options.items()}, **parts)


def _rounds(call: ExportCall) -> list[ExportCall]:
    """A call in each round of the loops around it whose elements are written out, and for each set of arguments that
    `parametrize` gives the test that it stands in."""
    around = [*_parametrized(call.scope), *_loops(call)]
    rounds = [round_ for round_ in around if round_.given]
    if not rounds:
        return [call]
    first = min(round_.row for round_ in rounds)
    found: list[ExportCall] = []
    for chosen in islice(product(*[round_.given for round_ in rounds]), _MOST[0]):
        passed = {name: value for names in chosen for name, value in names.items()}
        found.append(replace(_changed(call, _InRound(passed, call.scope, first).written_out), passed_on=True))
    return found


@dataclass(frozen=True, slots=True)
class _Round:
    """What gives names their values, one set after the other; `row` is where it stands."""

    row: int
    given: list[dict[str, ast.expr]]


def _loops(call: ExportCall) -> Iterator[_Round]:
    """The loops and comprehensions around a call, the outermost first."""
    row = call.scope.row
    block: Iterable[ast.stmt] = call.scope.names.body
    while (statement := next((s for s in block if s.lineno <= row <= (s.end_lineno or row)), None)) is not None:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            yield _Round(statement.lineno, _given(call.scope, statement.target, statement.iter))
        block = [*inner_statements(statement)]
        if not any(s.lineno <= row <= (s.end_lineno or row) for s in block):
            for node in ast.walk(statement):
                generators = getattr(node, "generators", ())
                if generators and any(inner is call.place for inner in ast.walk(node)):
                    yield from [_Round(row, _given(call.scope, part.target, part.iter)) for part in generators]


def _parametrized(scope: Scope) -> Iterator[_Round]:
    """What the decorators of a test give to its parameters."""
    function = scope.names.node if isinstance(scope.names, Local) else None
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    for decorator in function.decorator_list:
        if not isinstance(decorator, ast.Call) or not decorator.args:
            continue
        name, target = dotted(decorator.func), None
        if name.rpartition(".")[2] == "parametrize" and len(decorator.args) > 1:
            names = decorator.args[0]
            listed = names.elts if isinstance(names, (ast.Tuple, ast.List)) else [names]
            words = [part.value for part in listed if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            target = _target(
                [word.strip() for word in ",".join(words).split(",")], alone=isinstance(names, ast.Constant)
            )
        elif name == "parameterized.expand":
            spec = function.args
            target = _target([arg.arg for arg in (*spec.posonlyargs, *spec.args) if arg.arg != "self"], alone=False)
        if target is not None:
            yield _Round(function.lineno, _given(scope, target, decorator.args[-1]))


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


class _Substitution(ast.NodeTransformer):
    """Makes other expressions of expressions."""

    def written_out(self, node: ast.expr) -> ast.expr:
        """A copy of an expression, rewritten."""
        return self.visit(copy.deepcopy(node))


class _InRound(_Substitution):
    """Expressions in a loop as they are in one round of it: with what its names are given, and what the statements of the
    loop before them made of these."""

    def __init__(self, passed: Mapping[str, ast.expr], scope: Scope, first: int) -> None:
        self._passed = passed
        self._scope = scope
        self._first = first

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a name stands for in the round."""
        passed = self._passed.get(node.id)
        if passed is not None:
            return copy.deepcopy(passed)
        bound = self._scope.binding(node.id) if node.id in self._scope.names.scope else None
        if not isinstance(bound, ast.expr) or not self._first <= bound.lineno < self._scope.row:
            return node
        return _InRound(self._passed, Scope(self._scope.names, bound.lineno), self._first).written_out(bound)


class _Reader(_Substitution):
    """Expressions of a function as what is around it, and its parameters, are used in them. `parameters` are those met,
    `attributes` the attributes of `self` that were."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.parameters: set[str] = set()
        self.attributes: set[str] = set()

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a name stands for."""
        if is_parameter(self._scope, node.id):
            self.parameters.add(node.id)
            return node
        if self._scope.names.around is None or node.id not in self._scope.names.scope:
            return node
        bound = self._scope.binding(node.id)
        if not isinstance(bound, ast.expr) or bound.lineno >= self._scope.row:
            return ast.copy_location(ast.Name(_UNKNOWN, ast.Load()), node)
        inner = _Reader(Scope(self._scope.names, bound.lineno))
        found = inner.written_out(bound)
        self.parameters |= inner.parameters
        self.attributes |= inner.attributes
        return found

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """What the class gives an attribute of `self`, where only one thing does."""
        place = assigned(self._scope, node)
        if place is None:
            return self.generic_visit(node)
        self.attributes.add(node.attr)
        inner = _Reader(place[0])
        found = inner.written_out(place[1])
        return ast.copy_location(ast.Name(_UNKNOWN, ast.Load()), node) if inner.parameters else found


class _Filled(_Substitution):
    """Parameters replaced by what they are given."""

    def __init__(self, passed: dict[str, ast.expr]) -> None:
        self._passed = passed

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What a parameter is given; any other name as it is."""
        return self._passed.get(node.id, node)


def _calls(
    module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[ast.Call, Scope, dict[str, ast.expr]]]:
    """The calls of a function in its file, where each stands, and what it gives the parameters."""
    methods = {id(method.node): method for cls in module.classes for method in cls.methods.values()}
    info = next((f for f in module.functions if f.node is function), methods.get(id(function)))
    if info is None or f"{info.name}(" not in module.text:
        return
    callee = info.name if info.cls is None else f"self.{info.name}"
    found = [(node, names) for node, names in calls_with(module, f"{info.name}(") if dotted(node.func) == callee]
    defaults = defaults_of(function)
    for node, names in found:
        passed = given(info, node)
        if passed:
            yield node, Scope(names, node.lineno), {**defaults, **passed}
