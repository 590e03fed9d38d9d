"""The names inside functions: what a class that is local to one, or to a test method, sees around it.

Such a class is written in a namespace of its own: what the function binds, then what is bound around that. As for the
top level of a file, nothing is run to know it: a name is every expression that the function binds it to.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.definitions import ClassInfo, Module, dotted, is_main_guard
from exportdb_rules.source import inner_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.definitions import FunctionInfo
    from exportdb_rules.project import Project

# What a function is looked into for: a class in it, or a call of an export function.
_INDENTED_CLASS: Final = re.compile(r"[ \t]+class\b")
_EXPORT: Final = re.compile(r"[ \t].*\bexport\w*\s*\(")
_Holder = ast.FunctionDef | ast.AsyncFunctionDef | ast.If


class Local(Module):
    """The names inside a function, or below `if __name__ == "__main__"`, as a namespace of the file.

    `around` is what a name means that is not bound in it, `prefix` what the qualified names of its classes begin with.
    """

    __slots__ = ("node",)

    def __init__(self, node: _Holder, around: Module, prefix: str, *, method: bool = False) -> None:
        self.node = node
        self.filename = around.filename
        self.name = around.name
        self.is_package = around.is_package
        self.digest = around.digest
        self.lookups = around.lookups
        self.body = node.body
        self.scope = {}
        self.classes = []
        self.functions = []
        self.pieces = None
        self.exports = None
        self.locals = None
        self.unread = None
        self.prefix = prefix
        self.around = around
        self.follow(around)
        if not isinstance(node, ast.If):
            self._bind_parameters(node.args, method=method)
        self._bind(node.body)
        if self.mentions("nonlocal"):
            for inner in ast.walk(ast.Module(node.body, [])):
                for name in inner.names if isinstance(inner, ast.Nonlocal) else ():
                    self._add(name, None)

    def _bind_parameters(self, spec: ast.arguments, *, method: bool) -> None:
        names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        # `self` of a test is nobody's configuration: nothing is known of it.
        names = names[1:] if method else names
        names += [a.arg for a in (*spec.kwonlyargs, spec.vararg, spec.kwarg) if a is not None]
        for name in names:
            self._add(name, None)


def local_classes(module: Module) -> tuple[ClassInfo, ...]:
    """The classes of a file that its top level does not bind, in the order of the text: those inside functions and
    methods, and those inside other classes."""
    if module.locals is None:
        found = _Locals(module)
        # Few files have any, and most that have the word have it in a sentence.
        if " class" in module.text or "\tclass" in module.text or "export" in module.text:
            found.read()
        module.locals = found
    return cast("_Locals", module.locals).classes


def namespaces(module: Module) -> dict[int, Local]:
    """The namespaces of a file's functions that hold classes, or export something, by the identity of the function."""
    local_classes(module.file)
    return cast("_Locals", module.file.locals).namespaces


def local_names(function: FunctionInfo) -> Local:
    """The namespace of any function."""
    known = namespaces(function.module).get(id(function.node))
    if known is not None:
        return known
    assert isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return _local(function.node, function.module, function.cls)


def _local(node: ast.FunctionDef | ast.AsyncFunctionDef, names: Module, owner: ClassInfo | None) -> Local:
    prefix = f"{names.prefix if owner is None else owner.name + '.'}{node.name}.<locals>."
    method = owner is not None and all(dotted(decorator) != "staticmethod" for decorator in node.decorator_list)
    return Local(node, names, prefix, method=method)


def holders(module: Module) -> frozenset[int]:
    """The functions of a file that hold classes, by their identity."""
    local_classes(module)
    return cast("_Locals", module.locals).holders


def local_class(module: Module, node: ast.ClassDef) -> ClassInfo | None:
    """The class of a `class` statement inside a function or a class."""
    local_classes(module.file)
    return cast("_Locals", module.file.locals).by_node.get(id(node))


def lifted(module: Module, row: int, project: Project) -> tuple[str, frozenset[int]]:
    """The text of a file as if the module class that a row stands in were written at its top level, every line where it
    is, and the rows that differ.

    The functions and classes around such a class are blocks `if True:` in it: then the class sees what it sees, and it
    is what a rewrite takes it for.
    """
    around = _around(module.file, row)
    owner = next(
        (i for i, node in enumerate(around) if isinstance(node, ast.ClassDef) and _is_module(module, node, project)), 0
    )
    if not owner:
        return module.text, frozenset()
    lines = _LINE.findall(module.text)
    rows: set[int] = set()
    for node in around[:owner]:
        first = min([node.lineno, *[d.lineno for d in node.decorator_list]])
        last = _header_end(lines, node)
        rows.update(range(first, last + 1))
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip(" \t"))]
        for number in range(first, last + 1):
            end = lines[number - 1][len(lines[number - 1].rstrip("\r\n")) :]
            lines[number - 1] = (f"{indent}if True:" if number == first else "") + end
    return "".join(lines), frozenset(rows)


_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")


def _around(module: Module, row: int) -> list[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions and classes that a row stands in, the outermost first."""
    found: list[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef] = []
    body = module.body
    first = last = bisect_right(body, row, key=lambda node: node.lineno)
    while first and (body[first - 1].end_lineno or row) >= row:
        first -= 1
    waiting = body[first:last]
    while waiting:
        node = waiting.pop()
        if node.lineno <= row <= (node.end_lineno or row):
            if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                found.append(node)
            inner = [child for child in inner_statements(node) if child.lineno <= row <= (child.end_lineno or row)]
            waiting = inner[:1]
    return found


def _is_module(module: Module, node: ast.ClassDef, project: Project) -> bool:
    own = next((cls for cls in module.file.classes if cls.node is node), None)
    cls = own or local_class(module, node)
    return cls is not None and cls.is_module(project)


def _header_end(lines: list[str], node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The last row of a header: that of its colon, which stands before the body, comments between them left out."""
    row = node.body[0].lineno - 1
    for decorated in getattr(node.body[0], "decorator_list", ()):
        row = min(row, decorated.lineno - 1)
    while row > node.lineno and not lines[row - 1].split("#")[0].rstrip().endswith(":"):
        row -= 1
    return row


class _Locals:
    """What one file has of them."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._rows: list[int] = []
        self.classes: tuple[ClassInfo, ...] = ()
        self.namespaces: dict[int, Local] = {}
        self.holders: frozenset[int] = frozenset()
        self.by_node: dict[int, ClassInfo] = {}

    def read(self) -> None:
        lines = self._module.parsed
        classes = {row for row, line in enumerate(lines, 1) if "class" in line and _INDENTED_CLASS.match(line)}
        exports = {row for row, line in enumerate(lines, 1) if "export" in line and _EXPORT.match(line)}
        self._rows = sorted(classes | exports)
        if self._rows:
            infos = {id(cls.node): cls for cls in self._module.classes}
            found = list(self._visit(self._module.body, self._module, infos, None))
            self.classes = tuple(sorted(found, key=lambda cls: cls.node.lineno))
            self.holders = frozenset(
                key
                for key, local in self.namespaces.items()
                if any(local.node.lineno < row <= (local.node.end_lineno or 0) for row in classes)
            )

    def _holds(self, node: ast.stmt) -> bool:
        end = node.end_lineno or node.lineno
        return bisect_right(self._rows, node.lineno) < bisect_right(self._rows, end)

    def _visit(
        self, body: list[ast.stmt], names: Module, infos: dict[int, ClassInfo], owner: ClassInfo | None
    ) -> Iterator[ClassInfo]:
        """The local classes of some statements. `infos` are the classes that their namespace binds."""
        for node in body:
            if not self._holds(node):
                if isinstance(node, ast.ClassDef):
                    yield from self._note(node, names, infos, owner)
                continue
            if isinstance(node, ast.ClassDef):
                yield from self._note(node, names, infos, owner)
                cls = infos.get(id(node)) or self.by_node.get(id(node))
                if cls is not None:
                    yield from self._visit(node.body, names, {}, cls)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from self._inside(_local(node, names, owner))
            elif isinstance(node, ast.If) and names is self._module and is_main_guard(node):
                yield from self._inside(Local(node, names, ""))
            else:
                for field in ("body", "orelse", "finalbody"):
                    yield from self._visit(getattr(node, field, []), names, infos, owner)
                for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                    yield from self._visit(part.body, names, infos, owner)

    def _inside(self, local: Local) -> Iterator[ClassInfo]:
        self.namespaces[id(local.node)] = local
        yield from self._visit(local.node.body, local, {id(cls.node): cls for cls in local.classes}, None)

    def _note(
        self, node: ast.ClassDef, names: Module, infos: dict[int, ClassInfo], owner: ClassInfo | None
    ) -> Iterator[ClassInfo]:
        if names is self._module and owner is None:
            return  # the file's own
        cls = infos.get(id(node))
        if owner is not None:
            cls = next((inner for inner in owner.inner.values() if inner.node is node), None)
        if cls is not None:
            self.by_node[id(node)] = cls
            yield cls
