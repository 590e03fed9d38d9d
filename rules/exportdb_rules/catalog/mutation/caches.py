"""What a module keeps for the next call although every call could make it anew: nothing is lost when export does.

`if n > self.length: self.length = n; self.table = make(n)` leaves what it would make again for the same sizes. What is
exported makes it in every call, and computes the same (measured on torch 2.13, in both modes).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.values import Site

_MAKING: Final = frozenset(
    "zeros ones full arange linspace logspace eye tril_indices triu_indices tensor range".split()
)  # fmt: skip
_RANDOM: Final = frozenset(
    """
    rand randn randint randperm bernoulli multinomial normal poisson dropout rand_like randn_like uniform exponential
    item tolist empty empty_like
    """.split()
)
_OF_SIZES: Final = frozenset(("shape", "device", "dtype", "ndim", "size", "dim", "numel", "type", "is_cuda"))
_DEPTH: Final = 4


def is_cache(site: Site, name: str) -> bool:
    """Whether all that the class around a place writes to an attribute is made of sizes and constants, under a test that
    only says whether it is there and large enough."""
    cls = next((c for c in _classes(site) if any(n is site.node for n in ast.walk(c))), None)
    if cls is None:
        return False
    return _Class(cls).caches(name)


def filled_anew(site: Site, name: str) -> bool:
    """Whether a method gives a list or dict on self its contents before it reads them: it empties it first, or stores each
    literal key before it reads that."""
    for cls in _classes(site):
        for method in _methods(cls):
            if any(n is site.node for n in ast.walk(method)):
                return _emptied(method, name) or _stored_first(cls, method, name)
    return False


def _classes(site: Site) -> Iterator[ast.ClassDef]:
    for statement in site.module.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.ClassDef):
                yield node


def _methods(cls: ast.ClassDef) -> list[ast.FunctionDef]:
    return [s for s in cls.body if isinstance(s, ast.FunctionDef)]


def _is(node: ast.AST | None, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.value, ast.Name) and node.value.id == "self"  # fmt: skip


def _mentions(node: ast.AST, name: str) -> bool:
    return any(_is(n, name) or (isinstance(n, ast.Constant) and n.value == name) for n in ast.walk(node))


def _emptied(method: ast.FunctionDef, name: str) -> bool:
    first = next((s for s in method.body if _mentions(s, name)), None)
    call = first.value if isinstance(first, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        return call.func.attr == "clear" and _is(call.func.value, name)
    return False


def _stored_first(cls: ast.ClassDef, method: ast.FunctionDef, name: str) -> bool:
    stored: set[object] = set()
    everywhere = [n for m in _methods(cls) if m.name != "__init__" for n in ast.walk(m) if _is(n, name)]
    seen = 0
    for statement in method.body:
        inside = [n for n in ast.walk(statement) if _is(n, name)]
        if not inside:
            continue
        items = [n for n in ast.walk(statement) if isinstance(n, ast.Subscript) and _is(n.value, name)]
        keys = [n.slice.value for n in items if isinstance(n.slice, ast.Constant)]
        if len(items) != len(inside) or len(keys) != len(items):
            return False
        seen += len(inside)
        loads = {n.slice.value for n in items if isinstance(n.slice, ast.Constant) and isinstance(n.ctx, ast.Load)}
        if not loads <= stored or isinstance(statement, ast.AugAssign):
            return False
        if isinstance(statement, ast.Assign):
            stored |= {
                n.slice.value for n in items if isinstance(n.slice, ast.Constant) and isinstance(n.ctx, ast.Store)
            }
        elif any(not isinstance(n.ctx, ast.Load) for n in items):
            return False
    return seen == len(everywhere)


class _Class:
    """What the methods of a class write to its attributes."""

    def __init__(self, cls: ast.ClassDef) -> None:
        self._methods = {m.name: m for m in _methods(cls)}
        self._written: dict[str, list[tuple[ast.FunctionDef, ast.stmt]]] = {}
        self._changed: set[str] = set()
        for method in self._methods.values():
            if method.name != "__init__":
                self._note(method)
        self._asked: set[str] = set()

    def _note(self, method: ast.FunctionDef) -> None:
        for node in ast.walk(method):
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for part in [p for t in targets for p in (t.elts if isinstance(t, ast.Tuple) else [t])]:
                    if isinstance(part, ast.Attribute) and _is(part, part.attr):
                        self._written.setdefault(part.attr, []).append((method, node))
                    elif isinstance(part, ast.Subscript):
                        self._changed |= _attributes(part.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                method_name = node.func.attr
                if (method_name.endswith("_") and not method_name.endswith("__")) or method_name in (
                    "append",
                    "update",
                ):
                    self._changed |= _attributes(node.func.value)

    def caches(self, name: str) -> bool:
        """Whether an attribute is a cache of what depends on sizes and constants alone."""
        if name in self._changed or name in self._asked or name not in self._written:
            return False
        self._asked.add(name)
        guards: list[ast.AST] = []
        for method, statement in self._written[name]:
            guard = self._guard(method, statement, name)
            if guard is None or not isinstance(statement, ast.Assign):
                return False
            if not self._free(statement.value, method, 0):
                return False
            guards.append(guard)
        # A test elsewhere would tell whether there was a call before.
        for method in self._methods.values():
            for node in ast.walk(method):
                test = node.test if isinstance(node, (ast.If, ast.IfExp, ast.While, ast.Assert)) else None
                if test is not None and _mentions(test, name) and not any(test is g for g in guards):
                    return False
        return True

    def _guard(self, method: ast.FunctionDef, statement: ast.stmt, name: str) -> ast.expr | None:
        """The test that says whether the attribute is there: of the `if` around the write, or of an early return before it."""
        for node in ast.walk(method):
            if isinstance(node, ast.If) and any(s is statement for s in _flat(node.body)):
                asked = {n.attr for n in ast.walk(node.test) if isinstance(n, ast.Attribute) and _is(n, n.attr)}
                asked |= {str(n.value) for n in ast.walk(node.test) if isinstance(n, ast.Constant)}
                mine = {p for s in _flat(node.body) for p in _attributes_of_targets(s)}
                plain = not node.orelse and all(isinstance(s, (ast.Assign, ast.With)) for s in _flat(node.body))
                if not plain or not asked & mine or not self._sizes(node.test, method, mine):
                    return None
                bound = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
                inside = {id(n) for n in ast.walk(node)}
                used = {n.id for n in ast.walk(method) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and id(n) not in inside}  # fmt: skip
                return None if bound & used else node.test
        if not any(s is statement for s in method.body):
            return None
        for before in method.body[: method.body.index(statement)]:
            if isinstance(before, ast.If) and _mentions(before.test, name) and not before.orelse:
                only = before.body[0] if len(before.body) == 1 else None
                if isinstance(only, ast.Return) and only.value is not None and _mentions(only.value, name):
                    return before.test if self._sizes(before.test, method, {name}) else None
        return None

    def _sizes(self, test: ast.expr, method: ast.FunctionDef, mine: set[str]) -> bool:
        """Whether a test asks for sizes, and for what the attributes are."""
        for node in ast.walk(test):
            if isinstance(node, ast.Name) and node.id not in (
                "self",
                "hasattr",
                "getattr",
                "len",
                "max",
                "min",
                "None",
            ):
                if not self._free(node, method, 0, size=True) and not _of_size(test, node):
                    return False
            elif isinstance(node, ast.Attribute) and _is(node, node.attr):
                if node.attr in self._written and node.attr not in mine:
                    return False
            elif isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called not in ("hasattr", "getattr", "len", "size", "dim", "max", "min", "numel"):
                    return False
        return True

    def _free(self, node: ast.expr, method: ast.FunctionDef, depth: int, size: bool = False) -> bool:
        """Whether an expression is made of sizes and constants. `size` says that it is used as a size: a parameter is one."""
        if depth > 40:
            return False
        more = depth + 1
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Attribute):
            if node.attr in _OF_SIZES:
                return True
            if _is(node, node.attr):
                return node.attr not in self._changed and (node.attr not in self._written or self.caches(node.attr))
            return self._free(node.value, method, more)
        if isinstance(node, ast.Name):
            return self._free_name(node.id, method, more, size)
        if isinstance(node, ast.Call):
            return self._free_call(node, method, more)
        if isinstance(
            node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Tuple, ast.List, ast.Slice, ast.IfExp)
        ):
            parts = [n for n in ast.iter_child_nodes(node) if isinstance(n, (ast.expr, ast.Slice))]
            return all(self._free(n, method, more, size) for n in parts)
        return False

    def _free_name(self, name: str, method: ast.FunctionDef, depth: int, size: bool) -> bool:
        arguments = {a.arg for a in (*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs)}
        if name in arguments:
            return size
        values: list[ast.expr] = []
        for node in ast.walk(method):
            stored = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)] if isinstance(node, ast.stmt) and not isinstance(node, (ast.If, ast.With, ast.FunctionDef)) else []  # fmt: skip
            if stored:
                if not isinstance(node, ast.Assign):
                    return False
                values.append(node.value)
        if not values:
            return name in ("torch", "math", "np", "F", "float", "int", "range", "bool")
        return all(self._free(v, method, depth, size) for v in values)

    def _free_call(self, node: ast.Call, method: ast.FunctionDef, depth: int) -> bool:
        function = node.func
        given = [*node.args, *[k.value for k in node.keywords]]
        name = (
            function.attr
            if isinstance(function, ast.Attribute)
            else function.id
            if isinstance(function, ast.Name)
            else ""
        )
        if name in _RANDOM or name.rstrip("_") in _RANDOM or (name.endswith("_") and not name.endswith("__")):
            return False
        if name in ("size", "dim", "numel", "len"):
            return True
        if isinstance(function, ast.Attribute) and _is(function, name):
            own = self._methods.get(name)
            if own is None or depth > _DEPTH * 10:
                return False
            returned = [n.value for n in ast.walk(own) if isinstance(n, ast.Return)]
            made = returned and all(v is not None and self._free(v, own, depth + 5) for v in returned)
            return bool(made) and all(self._free(a, method, depth, size=True) for a in given)
        if isinstance(function, ast.Attribute):
            making = name in _MAKING or name.startswith("new_")
            of_tensor = self._free(function.value, method, depth, size=name.startswith("new_") or name == "to")
            return of_tensor and all(self._free(a, method, depth, size=making or name == "to") for a in given)
        return name in ("float", "int", "range", "max", "min") and all(
            self._free(a, method, depth, size=True) for a in given
        )


def _attributes(node: ast.AST) -> set[str]:
    return {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and _is(n, n.attr)}


def _attributes_of_targets(statement: ast.stmt) -> set[str]:
    return {n for t in statement.targets for n in _attributes(t)} if isinstance(statement, ast.Assign) else set()


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a block, with those of its `with` statements."""
    found: list[ast.stmt] = []
    for statement in body:
        found.append(statement)
        if isinstance(statement, ast.With):
            found += _flat(statement.body)
    return found


def _of_size(test: ast.expr, name: ast.Name) -> bool:
    """Whether a name is only asked for its sizes in a test: `x.shape[0]`, `x.size(1)`, `len(x)`."""
    return any(
        (isinstance(n, ast.Attribute) and n.value is name and n.attr in _OF_SIZES)
        or (isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" and name in n.args)
        for n in ast.walk(test)
    )
