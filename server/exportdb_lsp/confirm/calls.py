"""Example inputs out of calls that the project makes already: `torch.export.export(Net(3), (x,))` or `Net(3)(x)` in a test
or script.

A call stands among the statements that made its arguments. Those are cut out (a backward slice over names) and run
again in the worker; the rest of the function is not.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_rules.disk import read_bytes

from exportdb_lsp.confirm.result import InputOrigin
from exportdb_lsp.confirm.syntax import parsed
from exportdb_lsp.confirm.targets import InputSource
from exportdb_lsp.files.walk import ALWAYS_SKIPPED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_FILES = 3000
# Of files and folders of any kind: a model may lie beside a data set.
MAX_ENTRIES = 100_000
MAX_CALLS = 6
LARGEST = 400_000
SKIPPED = ALWAYS_SKIPPED | {"env", "build", "dist"}

_RAISES = re.compile(r"raises|assertRaises|warns", re.IGNORECASE)
_RETURN_SELF = frozenset(
    {"eval", "train", "to", "cpu", "cuda", "float", "double", "half", "bfloat16", "requires_grad_"}
)


@dataclass(frozen=True)
class _Scope:
    """Statements in which names are looked up, innermost first."""

    bodies: tuple[list[ast.stmt], ...]


def in_project(
    filename: str, text: str, root: Path, documents: Mapping[str, str], names: Iterable[str]
) -> dict[str, list[InputSource]]:
    """Calls of the classes `names` of the file, by class: exports first, those of the file itself before the project's."""
    wanted = frozenset(names)
    modules = _importable_from(Path(filename))
    found: dict[str, list[InputSource]] = {}
    for path, source in _sources(filename, text, root, documents):
        own = path == filename
        if not any(name in source for name in wanted) or (not own and not any(name in source for name in modules)):
            continue
        try:
            tree = parsed(source)
        except SyntaxError:
            continue
        if not own and not any(_imports(tree, name) for name in modules):
            continue
        for name, input_source in _calls(tree, path, root, own, wanted):
            found.setdefault(name, []).append(input_source)
    # A call that needs little around it is likelier to run than one in the middle of a training script.
    return {
        name: sorted(
            input_sources,
            key=lambda input_source: (input_source.called, input_source.called and len(input_source.setup)),
        )[:MAX_CALLS]
        for name, input_sources in found.items()
    }


def _importable_from(path: Path) -> list[str]:
    """The names of modules that a class of a file may be imported from: its own, and the packages around it that hand on
    what is in it."""
    name = path.parent.name if path.stem == "__init__" else path.stem
    names = [name]
    for folder in path.parents[1:] if path.stem == "__init__" else path.parents:
        try:
            init = read_bytes(folder / "__init__.py", LARGEST).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            break
        if re.search(rf"\b{re.escape(name)}\b", init) is None:
            break
        name = folder.name
        names.append(name)
    return names


def _sources(filename: str, text: str, root: Path, documents: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield filename, text
    pending, seen, entered = [root], 0, 0
    while pending and seen < MAX_FILES and entered < MAX_ENTRIES:
        directory = pending.pop()
        try:
            entries = sorted(directory.iterdir())
        except OSError:
            continue
        entered += len(entries)
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.name not in SKIPPED and not entry.name.startswith("."):
                    pending.append(entry)
            elif entry.suffix == ".py" and str(entry) != filename:
                seen += 1
                try:
                    if str(entry) in documents:
                        yield str(entry), documents[str(entry)]
                    else:
                        yield str(entry), read_bytes(entry, LARGEST).decode("utf-8")
                except (OSError, UnicodeDecodeError):
                    continue


def imports(text: str, stem: str) -> bool:
    """Whether a text, as far as it is Python, imports something from a module of that name."""
    try:
        return _imports(parsed(text), stem)
    except SyntaxError:
        return False


def _imports(tree: ast.Module, stem: str) -> bool:
    """Whether a file imports something from the module of that name."""
    for node in ast.walk(tree):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules += [alias.name for alias in node.names]
        if any(stem in module.split(".") for module in modules):
            return True
    return False


def _calls(
    tree: ast.Module, path: str, root: Path, own: bool, wanted: frozenset[str]
) -> Iterator[tuple[str, InputSource]]:
    module = set[str]().union(*[_writes(statement) for statement in tree.body]) if own else set[str]()
    for bodies, call in _scoped(tree.body, ()):
        exported = _is_export(call)
        fields = _fields(call) if exported else _called(call)
        model = fields.get("model")
        if model is None or ("args" not in fields and "kwargs" not in fields):
            continue
        built = _construction(model, bodies, call.lineno)
        name = _last_name(built.func) if built is not None else ""
        if built is None or name not in wanted or (exported and _in_block(call, bodies)):
            continue
        setup = _slice(list(fields.values()), _Scope(bodies), call, keep_module=not own)
        if setup is None or not _closed(setup, [*fields.values()], _Scope(bodies), call):
            continue
        yield (
            name,
            InputSource(
                InputOrigin.CALL,
                **{key: ast.unparse(value) for key, value in fields.items()},
                # Told where it means the same above the class as it does in the call.
                constructor=ast.unparse(built) if not _reads(built) - set(dir(builtins)) - {name} - module else "",
                setup="\n".join(ast.unparse(statement) for statement in setup),
                file="" if own else path,
                row=call.lineno,
                place=f"{_shown(path, root)}:{call.lineno}",
                description="values",
                called=not exported,
            ),
        )


def _shown(path: str, root: Path) -> str:
    try:
        return Path(path).relative_to(root).as_posix()
    except ValueError:
        return path


def _called(call: ast.Call) -> dict[str, ast.expr]:
    """The fields of `model(x, mask=m)`; none for what cannot be a call of a model, or has no arguments of its own."""
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if starred or not isinstance(call.func, (ast.Name, ast.Call)) or not (call.args or call.keywords):
        return {}
    if any(keyword.arg is None for keyword in call.keywords):
        return {}
    keys: list[ast.expr | None] = [ast.Constant(keyword.arg) for keyword in call.keywords]
    fields: dict[str, ast.expr] = {"model": call.func, "args": ast.Tuple(call.args, ast.Load())}
    if keys:
        fields["kwargs"] = ast.Dict(keys, [keyword.value for keyword in call.keywords])
    return fields


def _construction(model: ast.expr, bodies: tuple[list[ast.stmt], ...], row: int) -> ast.Call | None:
    """The call of a class that made a model: `Net(3)` of `Net(3).eval()`, or of `model` if that was assigned before."""
    while isinstance(model, ast.Call) and isinstance(model.func, ast.Attribute) and model.func.attr in _RETURN_SELF:
        model = model.func.value
    if isinstance(model, ast.Call):
        return model
    if not isinstance(model, ast.Name):
        return None
    for depth, body in enumerate(bodies):
        # What a function finds at module level may stand below it.
        anywhere = 0 < depth == len(bodies) - 1
        for statement in reversed([s for s in body if anywhere or s.lineno < row]):
            if isinstance(statement, ast.Assign) and _names(statement.targets) == [model.id]:
                value = statement.value
                return _construction(value, bodies[depth:], statement.lineno) if isinstance(value, ast.Call) else None
    return None


def _names(targets: list[ast.expr]) -> list[str]:
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _last_name(function: ast.expr) -> str:
    """`Net` of `Net` and of `package.Net`."""
    return (
        function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    )


_BLOCKS = (ast.With, ast.AsyncWith, ast.For, ast.AsyncFor, ast.While)


def _in_block(call: ast.Call, bodies: tuple[list[ast.stmt], ...]) -> bool:
    """Whether a call stands in a loop or in a context, which a slice leaves out."""
    return any(isinstance(statement, _BLOCKS) and call in ast.walk(statement) for body in bodies for statement in body)


def _scoped(
    body: list[ast.stmt], outer: tuple[list[ast.stmt], ...]
) -> Iterator[tuple[tuple[list[ast.stmt], ...], ast.Call]]:
    """Every call with the bodies around it, innermost first; functions and classes open a body.

    What stands below `pytest.raises` and its like is left out: such a call is an example of how not to call.
    """
    bodies = (body, *outer)
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _scoped(statement.body, bodies)
            continue
        inner: list[list[ast.stmt]] = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
        if any(inner):
            if isinstance(statement, ast.With) and any(_RAISES.search(ast.unparse(item)) for item in statement.items):
                continue
            for part in inner:
                yield from _scoped(part, bodies)
            items = getattr(statement, "items", [])
            for item in items:
                for node in ast.walk(item):
                    if isinstance(node, ast.Call):
                        yield bodies, node
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield bodies, node


def _is_export(call: ast.Call) -> bool:
    written = ast.unparse(call.func)
    if written in ("torch.export.export", "export.export", "export", "torch.export.draft_export"):
        return True
    dynamo = any(k.arg == "dynamo" and isinstance(k.value, ast.Constant) and k.value.value for k in call.keywords)
    return written in ("torch.onnx.export", "onnx.export") and dynamo


def _fields(call: ast.Call) -> dict[str, ast.expr]:
    names = ("model", "args", "kwargs")
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return {}
    fields: dict[str, ast.expr] = dict(zip(names, call.args[:2], strict=False))
    if len(call.args) > 2 and not ast.unparse(call.func).endswith("onnx.export"):
        fields["kwargs"] = call.args[2]
    for keyword in call.keywords:
        key = {"mod": "model", "f": ""}.get(keyword.arg or "", keyword.arg or "")
        if key in ("model", "args", "kwargs", "dynamic_shapes"):
            fields[key] = keyword.value
    return {
        key: value for key, value in fields.items() if not (isinstance(value, ast.Constant) and value.value is None)
    }


def _slice(roots: list[ast.expr], scope: _Scope, call: ast.Call, keep_module: bool) -> list[ast.stmt] | None:
    """The statements before the call that make the names it uses; None where a name comes from nowhere."""
    needed = {name for root in roots for name in _reads(root)}
    chosen: list[ast.stmt] = []
    for depth, body in enumerate(scope.bodies):
        module_level = depth == len(scope.bodies) - 1
        if module_level and not keep_module:
            # The module has run: its own names are there.
            needed -= {name for statement in body for name in _module_names(statement)}
            break
        for statement in reversed([s for s in body if s.lineno < call.lineno or module_level]):
            made = _writes(statement)
            if made & needed:
                if call in ast.walk(statement):
                    continue
                chosen.insert(0, statement)
                touched_only = isinstance(statement, (ast.AugAssign, ast.Expr))
                needed -= set[str]() if touched_only else made
                # `x = x.half()` needs the `x` before it; a function that calls itself needs none.
                assigned = isinstance(statement, (ast.Assign, ast.AnnAssign))
                needed |= _reads(statement) if assigned else _reads(statement) - made
    missing = needed - set(dir(builtins)) - {"torch", "nn", "F", "Dim"}
    return None if missing else chosen


def _closed(setup: list[ast.stmt], roots: list[ast.expr], scope: _Scope, call: ast.Call) -> bool:
    """Whether the chosen statements are all that made the names which a call uses.

    A slice knows assignments to names, and methods of them as statements. What is done to an object in any other way
    (`model.flag = True`, `shapes["x"] = …`, `init_weights(model)`) by a statement that was not chosen would be lost,
    and the call would be another one.
    """
    names = set[str]().union(*[_reads(node) for node in (*roots, *setup)])
    for depth, body in enumerate(scope.bodies):
        module_level = depth == len(scope.bodies) - 1
        for statement in body:
            behind = statement.lineno >= call.lineno and not module_level
            definition = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            if behind or definition or any(statement is one for one in setup) or call in ast.walk(statement):
                continue
            if any(_touches(node, names) for node in ast.walk(statement)):
                return False
    return True


_HARMLESS = frozenset(
    {"print", "len", "isinstance", "type", "repr", "str", "id", "list", "tuple", "dict", "range", "zip"}
)


def _touches(node: ast.AST, names: set[str]) -> bool:
    """Whether a node may change what one of the names stands for, other than by assigning to the name."""
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        value: ast.expr = node
        while isinstance(value, (ast.Attribute, ast.Subscript)):
            value = value.value
        return isinstance(value, ast.Name) and value.id in names
    if isinstance(node, ast.Call):
        function = ast.unparse(node.func)
        if function in _HARMLESS or function.startswith("torch.") or function in names:
            return False
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return any(isinstance(value, ast.Name) and value.id in names for value in given)
    return isinstance(node, (ast.Global, ast.Nonlocal)) and bool(names & set(node.names))


def _module_names(statement: ast.stmt) -> set[str]:
    """What a statement at module level leaves behind there; blocks (`if`, `try`, `with`) included."""
    names = _writes(statement) if not isinstance(statement, ast.Expr) else set[str]()
    for field in ("body", "orelse", "finalbody"):
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner: list[ast.stmt] = getattr(statement, field, [])
            names = names.union(*[_module_names(one) for one in inner])
    return names


def _reads(node: ast.AST) -> set[str]:
    """Names that must come from outside of `node`."""
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    # Parameters and the variables of comprehensions are nobody's outside.
    bound = {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    for part in ast.walk(node):
        if isinstance(part, ast.comprehension):
            bound |= {n.id for n in ast.walk(part.target) if isinstance(n, ast.Name)}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return read - bound


def _writes(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, ast.Expr):
        # model.eval(), model.load_state_dict(…): what is done to a name belongs to it.
        value = statement.value
        while isinstance(value, (ast.Call, ast.Attribute)):
            value = value.func if isinstance(value, ast.Call) else value.value
        method = isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute)
        return {value.id} if method and isinstance(value, ast.Name) and value.id not in ("torch", "print") else set()
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
