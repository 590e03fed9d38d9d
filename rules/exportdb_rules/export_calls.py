"""The calls of a file that export its models: which model, with what inputs, under which dimensions.

They are read, not run. What a name stands for is the last plain assignment before the call, in the function around it
or at the top level; a name that is bound in another way, or changed by code that is not understood, stands for nothing.
A model may also be what a function of the file or a method of a class returns, an attribute that a method of the class assigns, or a parameter
whose annotation is its class.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.definitions import (
    ClassInfo,
    FunctionInfo,
    Import,
    Module,
    defaults_of,
    dotted,
    is_main_guard,
    own_statements,
    parameters_of,
    root_name,
)
from exportdb_rules.namespaces import Local, local_names, namespaces
from exportdb_rules.source import inner_statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_EXPORTERS = frozenset({"export", "draft_export", "export_for_training", "export_for_inference"})
# Many texts have the word, few a call of it; what stands between the two may be around the name.
_CALL = re.compile(rf"\b(?:{'|'.join(sorted(_EXPORTERS))})\b[\s)\\]*\(")
# Behind these a model is the same one.
_RETURN_SELF = frozenset(
    {"eval", "train", "to", "cpu", "cuda", "float", "double", "half", "bfloat16", "requires_grad_", "type"}
)
# Methods that are called on a class.
_OF_CLASSES = (("staticmethod",), ("classmethod",))
# And these choose its mode.
_CHOOSING = ("eval", "train")
_DEEPEST = 8
# Behind every row.
ANYWHERE: Final = 1 << 60


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean at a row of a file: in the function around it, or at the top level."""

    names: Module
    row: int

    def binding(self, name: str) -> ast.expr | ClassInfo | FunctionInfo | Import | None:
        """What a name was last bound to before the row; None where that is not known."""
        names: Module | None = self.names
        row = self.row
        while names is not None:
            bound = names.scope.get(name)
            if bound is not None:
                if any(item is None for item in bound):
                    return None
                before = [item for item in bound if _row(item) < row]
                return before[-1] if before else bound[-1] if names is not self.names else None
            # What a function finds around it may stand below it.
            names, row = names.around, ANYWHERE
        return None

    def follow(self, node: ast.expr) -> ast.expr:
        """The expression that a name stands for; the name itself where that is none, or not known."""
        for _ in range(_DEEPEST):
            inner = self.binding(node.id) if isinstance(node, ast.Name) else None
            if not isinstance(inner, ast.expr):
                break
            node = inner
        return node

    def written_out(self, node: ast.expr) -> ast.expr:
        """A tuple, list or dict with what the names among its elements stand for in their place."""
        node = self.follow(node)
        if isinstance(node, (ast.Tuple, ast.List)):
            parts = [self.written_out(part) for part in node.elts]
            return ast.copy_location(type(node)(parts, ast.Load()), node)
        if isinstance(node, ast.Dict):
            return ast.copy_location(ast.Dict(node.keys, [self.written_out(part) for part in node.values]), node)
        return node


def _row(item: object) -> int:
    if isinstance(item, (ClassInfo, FunctionInfo)):
        return item.node.lineno
    return item.lineno if isinstance(item, ast.expr) else 0


@dataclass(frozen=True, slots=True)
class ExportCall:
    """A call of an export function. Expressions are those of the text; what was not given is None."""

    node: ast.Call
    scope: Scope
    model: ast.expr
    args: ast.expr | None = None
    kwargs: ast.expr | None = None
    dynamic_shapes: ast.expr | None = None
    strict: bool | None = None
    onnx: bool = False
    dynamo: bool | None = None
    """Whether `torch.onnx.export` is told to go through torch.export, or not to."""
    options: Mapping[str, ast.expr] = field(default_factory=dict[str, ast.expr], compare=False)
    """All that is given by name, and the file of `torch.onnx.export` as `f`."""
    chosen: tuple[bool | None, ...] = ()
    """What the code around it chooses for the mode of the model: training or not; None where that is not known."""
    passed_on: bool = False
    """It stands in a function that is given the model, or the inputs, or in a loop over them: what it declares may be for
    other models, too."""
    place: ast.Call | None = None
    """The call in `scope` by which it is made: itself, or that of the function that it stands in."""


@dataclass(slots=True)
class Exports:
    """The calls of one file, and by the class or function that they export once somebody has asked for that."""

    calls: tuple[ExportCall, ...]
    by_model: dict[int, tuple[ClassInfo | FunctionInfo, list[ExportCall]]] | None = None


def export_calls(module: Module) -> tuple[ExportCall, ...]:
    """The calls of export functions in a file, in the order of the text."""
    return exports_of(module).calls


def exports_of(module: Module) -> Exports:
    """What is known of the exports of a file. It is asked for at every entry of the file, so it is remembered."""
    module = module.file
    if module.exports is None:
        called = module.mentions("export") and ("partial(" in module.text or _CALL.search(module.text) is not None)
        found = tuple(_find(module)) if called else ()
        module.exports = Exports(found)
    return cast("Exports", module.exports)


@dataclass(frozen=True, slots=True)
class Construction:
    """The call that makes an object, and what the names in it mean there."""

    node: ast.Call
    scope: Scope


@dataclass(frozen=True, slots=True)
class Setting:
    """A statement that configures a model once it is made: `model.set_mode("fast")`, `model.head.mode = "fast"`. `name` is
    that of the model; `scope` says what the others mean there."""

    node: ast.Call | ast.Assign
    name: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model comes from: its class, or the function that it is, and the call that makes it. `chosen` is what was chosen
    for its mode on the way (training or not), the last first; None where that is not known. `settings` are what else is done to
    it, in the order of the text."""

    model: ClassInfo | FunctionInfo | None = None
    construction: Construction | None = None
    chosen: tuple[bool | None, ...] = ()
    settings: tuple[Setting, ...] = ()

    @property
    def training(self) -> bool | None:
        """Whether it is in training mode, as it is after its constructor; None where that is not known."""
        return self.chosen[0] if self.chosen else None if self.construction is None else True


def exported(scope: Scope, node: ast.expr) -> ClassInfo | FunctionInfo | None:
    """The class of the object that an expression gives, or the function that it is; None where that is not known."""
    return origin(scope, node).model


def origin(scope: Scope, node: ast.expr) -> Origin:
    """Where the object comes from that an expression gives: `Net(3)`, `Net(3).eval()`, a name for one."""
    chosen: list[bool | None] = []
    settings: list[Setting] = []
    arguments: dict[str, ast.expr] = {}
    for _ in range(_DEEPEST):
        if isinstance(node, ast.Name):
            bound = scope.binding(node.id)
            chosen += _modes_chosen(scope, node.id, bound)
            settings = [*_settings(scope, node.id, bound), *settings]
            if isinstance(bound, FunctionInfo):
                return Origin(bound)
            if isinstance(bound, ast.expr):
                scope = Scope(scope.names, min(scope.row, bound.lineno)) if _is_local(scope, node.id) else scope
                node = bound
                continue
            annotation = _annotation_of(scope, node.id)
            if annotation is not None:
                return Origin(_class(scope, annotation), None, tuple(chosen), tuple(settings))
            inner = _from_fixture(scope, node.id)
        elif isinstance(node, ast.Call):
            plain, modes = _without_steps(node)
            chosen += modes
            if plain is not node:
                node = plain
                continue
            made = _class(scope, node.func)
            if made is not None:
                whole = cast("ast.Call", _written_out(scope, node, arguments)) if arguments else node
                return Origin(made, Construction(whole, scope), tuple(chosen), tuple(settings))
            if (changed := _changed(scope, node)) is not None:
                model, change = changed
                return replace(model, chosen=(*chosen, *model.chosen), settings=(*model.settings, change, *settings))
            inner = _returned(scope, node)
            called = _factory(scope, node.func)
            if inner is not None and called is not None and inner[0] is not scope:
                arguments = _given_to(scope, called, node, arguments)
        else:
            inner = assigned(scope, node) if isinstance(node, ast.Attribute) else None
            if isinstance(node, ast.Attribute) and inner is not None:
                chosen += _modes_chosen(scope, dotted(node))
                chosen += _modes_chosen(Scope(inner[0].names, ANYWHERE), dotted(node))
        if inner is None:
            break
        scope, node = inner
    return Origin(chosen=tuple(chosen), settings=tuple(settings))


def _modes_chosen(scope: Scope, name: str, bound: object = None) -> list[bool | None]:
    """What `name.eval()` and `name.train()` choose between what binds the name and a place, the last first; None where that
    is not known."""
    found: list[tuple[int, bool | None]] = []
    names: Module | None = scope.names
    while names is not None and any(scope.names.mentions(f".{method}(") for method in _CHOOSING):
        local = name.partition(".")[0] in names.scope
        after, before = _row(bound) if local else 0, scope.row if names is scope.names else ANYWHERE
        for statement, sure in _statements(names.body):
            if isinstance(statement, ast.Expr) and after < statement.lineno < before:
                model, modes = _without_steps(statement.value)
                found += [(statement.lineno, mode if sure else None) for mode in modes[:1] if dotted(model) == name]
        if local:
            break
        names = names.around
    return [mode for _, mode in sorted(found, key=lambda one: one[0], reverse=True)]


def _changed(scope: Scope, call: ast.Call) -> tuple[Origin, Setting] | None:
    """The model and the method of `Net(3).deploy()`, where that changes the object and returns it; None for another call."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return None
    model = origin(scope, function.value)
    method = model.model.methods.get(function.attr) if isinstance(model.model, ClassInfo) else None
    returned = [] if method is None else [node for node in own_statements(method.node) if isinstance(node, ast.Return)]
    if not returned or not all(isinstance(one.value, ast.Name) and one.value.id == "self" for one in returned):
        return None
    place = ast.Attribute(ast.Name(_CHANGED, ast.Load()), function.attr, ast.Load())
    node = ast.Call(ast.copy_location(place, function), call.args, call.keywords)
    return model, Setting(ast.copy_location(node, call), _CHANGED, scope)


# The name of an object in a setting where the code gives it none.
_CHANGED: Final = "model"
# What configures nothing that `forward` asks for.
_NO_SETTINGS = _RETURN_SELF | {
    "load_state_dict", "state_dict", "parameters", "named_parameters", "forward", "apply", "zero_grad", "share_memory",
    "compile",
}  # fmt: skip


def _settings(scope: Scope, name: str, bound: object) -> list[Setting]:
    """What surely configures the object of a name between what binds the name and a place."""
    names: Module | None = scope.names
    while names is not None and name not in names.scope:
        names = names.around
    if names is None or f"{name}." not in names.file.text:
        return []
    found: list[Setting] = []
    before = scope.row if names is scope.names else ANYWHERE
    for statement, sure in _statements(names.body):
        if sure and _row(bound) < statement.lineno < before and (node := _configuring(statement, name)) is not None:
            found.append(Setting(node, name, Scope(names, statement.lineno)))
    return found


def _configuring(statement: ast.stmt, name: str) -> ast.Call | ast.Assign | None:
    """The call of a method, or the assignment to an attribute, of an object of that name or of a part of it."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        node: ast.Call | ast.Assign = statement.value
        place = node.func
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        node, place = statement, statement.targets[0]
    else:
        return None
    if not isinstance(place, ast.Attribute) or (isinstance(node, ast.Call) and place.attr in _NO_SETTINGS):
        return None
    return node if root_name(place) == name else None


def _statements(body: Iterable[ast.stmt], *, sure: bool = True) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements, and those in them but for functions and classes; each with whether it runs if the first one does."""
    for statement in body:
        yield statement, sure
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            always = isinstance(statement, ast.With) or (isinstance(statement, ast.If) and is_main_guard(statement))
            yield from _statements(inner_statements(statement), sure=sure and always)


def _without_steps(node: ast.expr) -> tuple[ast.expr, list[bool | None]]:
    """The model of `model.to(device).eval()`, and what the calls choose for its mode, the last first."""
    modes: list[bool | None] = []
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RETURN_SELF:
        if node.func.attr in _CHOOSING:
            modes.append(_mode_of(node))
        node = node.func.value
    return node, modes


def _mode_of(call: ast.Call) -> bool | None:
    """Whether `eval()` or `train(…)` chooses training mode."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "eval":
        return False
    given = [*call.args, *[keyword.value for keyword in call.keywords]]
    if not given:
        return True
    return bool(given[0].value) if isinstance(given[0], ast.Constant) else None


def is_parameter(scope: Scope, name: str) -> bool:
    """Whether a name is a parameter of the function around a place, and nothing else there."""
    function = scope.names.node if isinstance(scope.names, Local) else None
    return (
        isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        and scope.names.scope.get(name) == [None]
        and any(arg.arg == name for arg in _arguments(function))
    )


def _arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[ast.arg, ...]:
    spec = function.args
    return (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)


def _annotation_of(scope: Scope, name: str) -> ast.expr | None:
    """The annotation of a parameter of the function around a place."""
    if not is_parameter(scope, name):
        return None
    function = cast("ast.FunctionDef", cast("Local", scope.names).node)
    annotation = next(arg.annotation for arg in _arguments(function) if arg.arg == name)
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) and annotation.value.isidentifier():
        return ast.copy_location(ast.Name(annotation.value, ast.Load()), annotation)
    return annotation


def _from_fixture(scope: Scope, name: str) -> tuple[Scope, ast.expr] | None:
    """What a fixture of the file gives a test that has a parameter of its name."""
    if not is_parameter(scope, name) or scope.names.around is None:
        return None
    fixture = Scope(scope.names.around, ANYWHERE).binding(name)
    if not isinstance(fixture, FunctionInfo) or not any(d.endswith("fixture") for d in fixture.decorators):
        return None
    return _result(fixture)


def _returned(scope: Scope, call: ast.Call) -> tuple[Scope, ast.expr] | None:
    """What a call of a function of the file returns, and where that is written; of what it was given, the argument."""
    function = _factory(scope, call.func)
    found = None if function is None else _result(function)
    if function is None or found is None:
        return None
    if isinstance(found[1], ast.Name) and is_parameter(found[0], found[1].id):
        argument = given(function, call).get(found[1].id)
        return None if argument is None else (scope, argument)
    return found


def _factory(scope: Scope, callee: ast.expr) -> FunctionInfo | None:
    """A function of the file, or a static or class method of a class, that makes an object."""
    if isinstance(callee, ast.Name):
        function = scope.binding(callee.id)
        return function if isinstance(function, FunctionInfo) and not function.decorators else None
    owner = _class(scope, callee.value) if isinstance(callee, ast.Attribute) else None
    method = None if owner is None or not isinstance(callee, ast.Attribute) else owner.methods.get(callee.attr)
    return method if method is not None and method.decorators in _OF_CLASSES else None


def _given_to(
    scope: Scope, function: FunctionInfo, call: ast.Call, arguments: Mapping[str, ast.expr]
) -> dict[str, ast.expr]:
    """What a call of such a function gives its parameters, with the names of the place written out."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(keyword.arg is None for keyword in call.keywords):
        return {}
    every = {name: _written_out(scope, node, arguments) for name, node in given(function, call).items()}
    return {**defaults_of(function.node), **every}


def _written_out(scope: Scope, node: ast.expr, arguments: Mapping[str, ast.expr]) -> ast.expr:
    """An expression in a function, with what the names that are local there stand for in their place."""
    written = _LocalNames(scope, arguments).visit(deepcopy(node))
    return cast("ast.expr", written)


@dataclass(frozen=True, slots=True)
class _LocalNames(ast.NodeTransformer):
    scope: Scope
    arguments: Mapping[str, ast.expr]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        names = self.scope.names
        if not isinstance(names, Local) or node.id not in names.scope:
            return node
        if is_parameter(self.scope, node.id):
            return self.arguments.get(node.id, node)
        bound = self.scope.binding(node.id)
        return _written_out(Scope(names, _row(bound)), bound, self.arguments) if isinstance(bound, ast.expr) else node


def _result(function: FunctionInfo) -> tuple[Scope, ast.expr] | None:
    """The one expression that a function returns, or yields."""
    found: list[ast.expr] = []
    for node in own_statements(function.node):
        made = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) else node
        if isinstance(made, (ast.Return, ast.Yield)) and made.value is not None:
            found.append(made.value)
    return (_inside(function, found[0].lineno), found[0]) if len(found) == 1 else None


def _inside(function: FunctionInfo, row: int) -> Scope:
    """A place in a function."""
    return Scope(local_names(function), row)


def given(function: FunctionInfo, call: ast.Call) -> dict[str, ast.expr]:
    """The arguments of a call by parameter; none where some are not written out."""
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(k.arg is None for k in call.keywords):
        return {}
    named = {k.arg: k.value for k in call.keywords if k.arg is not None}
    return {**dict(zip(parameters_of(function), call.args, strict=False)), **named}


def assigned(scope: Scope, node: ast.Attribute) -> tuple[Scope, ast.expr] | None:
    """The one expression that the class around a place, or a method of it, assigns to an attribute of `self`, and where."""
    owner = _class_around(scope) if isinstance(node.value, ast.Name) and node.value.id == "self" else None
    found: list[tuple[FunctionInfo, ast.expr]] = []
    for method in () if owner is None else owner.methods.values():
        for statement in own_statements(method.node):
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if isinstance(statement, ast.Assign) and any(dotted(target) == f"self.{node.attr}" for target in targets):
                found.append((method, statement.value))
    own = None if owner is None else owner.assigns.get(node.attr)
    if owner is not None and own is not None and not found:
        return Scope(owner.module, own.lineno), own
    if len(found) != 1 or own is not None:
        return None
    method, value = found[0]
    return _inside(method, value.lineno), value


def _is_local(scope: Scope, name: str) -> bool:
    return name in scope.names.scope


def _class(scope: Scope, node: ast.expr) -> ClassInfo | None:
    if isinstance(node, ast.Name):
        bound = scope.binding(node.id)
        if bound is None and node.id == "cls":
            return _class_around(scope)
        if isinstance(bound, ast.Name):
            return _class(Scope(scope.names, min(scope.row, bound.lineno)), bound)
        return bound if isinstance(bound, ClassInfo) else None
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
            owner = _class_around(scope)
            return None if owner is None else owner.inner.get(node.attr)
        outer = _class(scope, node.value)
        return None if outer is None else outer.inner.get(node.attr)
    return None


def _class_around(scope: Scope) -> ClassInfo | None:
    """The class whose method a place is in."""
    holder = scope.names
    while holder.around is not None:
        owner = next((c for c in holder.file.classes if holder.prefix.startswith(f"{c.name}.")), None)
        if owner is not None:
            return owner
        holder = holder.around
    return None


def _find(module: Module) -> Iterator[ExportCall]:
    for node, names in calls_with(module, "export"):
        call = _call(node, names)
        if call is not None:
            yield call
        elif dotted(node.func).rpartition(".")[2] == "partial" and node.args:
            yield from _by_partial(module, node, names)


def _by_partial(module: Module, made: ast.Call, names: Module) -> Iterator[ExportCall]:
    """The calls of what `functools.partial` makes of an export function."""
    name = next((name for name, bound in names.scope.items() if any(item is made for item in bound)), None)
    if name is None or dotted(made.args[0]).rpartition(".")[2] not in _EXPORTERS:
        return
    for node, around in calls_with(module, f"{name}("):
        if dotted(node.func) == name and Scope(around, node.lineno).binding(name) is made:
            whole = ast.Call(made.args[0], [*made.args[1:], *node.args], [*made.keywords, *node.keywords])
            call = _call(ast.copy_location(whole, node), around)
            if call is not None:
                yield replace(call, node=node, place=node)


def calls_with(module: Module, word: str) -> Iterator[tuple[ast.Call, Module]]:
    """The calls in the statements of a file that have a word in their lines, and the namespaces that they stand in."""
    locals_ = namespaces(module)
    rows = [row for row, line in enumerate(module.parsed, 1) if word in line]
    stack: list[tuple[ast.AST, Module, ClassInfo | None]] = [(node, module, None) for node in reversed(module.body)]
    while stack:
        node, names, owner = stack.pop()
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *[decorator.lineno for decorator in getattr(node, "decorator_list", ())]])
            if bisect_left(rows, first) == bisect_right(rows, node.end_lineno or first):
                continue
        if isinstance(node, ast.ClassDef):
            owner = next((cls for cls in names.classes if cls.node is node), None)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names, owner = local_names(FunctionInfo(node.name, node, names, owner)), None
        else:
            names = locals_.get(id(node), names)
        if isinstance(node, ast.Call):
            yield node, names
        stack.extend((child, names, owner) for child in reversed(list(ast.iter_child_nodes(node))))


def _call(node: ast.Call, names: Module) -> ExportCall | None:
    name = dotted(node.func)
    head, _, short = name.rpartition(".")
    onnx = short == "export" and head.rpartition(".")[2] == "onnx"
    if short not in _EXPORTERS or head.split(".")[0] in ("self", "cls"):
        return None
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    scope = Scope(names, node.lineno)
    keywords = {name: value for keyword in node.keywords for name, value in _named(scope, keyword)}
    positional = dict(zip(("model", "args", "f" if onnx else "kwargs"), node.args, strict=False))
    given = {**positional, **keywords}
    model = given.get("model", given.get("mod"))
    if model is None:
        return None
    strict, dynamo = given.get("strict"), given.get("dynamo")
    return ExportCall(
        node,
        scope,
        model,
        _some(given.get("args")),
        _some(given.get("kwargs")),
        _some(_declared(scope, given.get("dynamic_shapes"))),
        bool(strict.value) if isinstance(strict, ast.Constant) else None,
        onnx,
        bool(dynamo.value) if isinstance(dynamo, ast.Constant) else None,
        {**keywords, **({"f": positional["f"]} if "f" in positional else {})},
        place=node,
    )


def _named(scope: Scope, keyword: ast.keyword) -> Iterator[tuple[str, ast.expr]]:
    """What a keyword gives by name; `**options` gives what the dict holds that the name was bound to."""
    if keyword.arg is not None:
        yield keyword.arg, keyword.value
        return
    written = scope.follow(keyword.value)
    if isinstance(written, ast.Dict):
        for key, value in zip(written.keys, written.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(written, ast.Call) and dotted(written.func) == "dict":
        yield from ((inner.arg, inner.value) for inner in written.keywords if inner.arg is not None)


def _declared(scope: Scope, node: ast.expr | None) -> ast.expr | None:
    """What is given where dimensions are declared at all: of `None if fixed else shapes`, and of a name that one branch
    binds to None, the other."""
    if isinstance(node, ast.Name):
        bound = [item for item in scope.names.scope.get(node.id, ()) if _row(item) < scope.row]
        written = [item for item in bound if isinstance(item, ast.expr) and not is_none(item)]
        if written and len(written) < len(bound) and all(isinstance(item, ast.expr) for item in bound):
            return _declared(scope, written[-1])
        inner = scope.follow(node)
        return _declared(scope, inner) if isinstance(inner, ast.IfExp) else node
    if isinstance(node, ast.IfExp) and (is_none(node.body) or is_none(node.orelse)):
        return node.orelse if is_none(node.body) else node.body
    return node


def is_none(node: object) -> bool:
    """Whether an expression is `None`."""
    return isinstance(node, ast.Constant) and node.value is None


def _some(node: ast.expr | None) -> ast.expr | None:
    return None if is_none(node) else node
