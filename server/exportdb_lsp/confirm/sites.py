"""The calls of torch.export that a text makes, and what to run to get to them. Reads text; runs nothing.

What the calls are given is not read here: whoever runs the text watches them. So a call that only may be one is told,
and what it turns out to be is seen then.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from exportdb_rules.source import inner_statements

from exportdb_lsp.confirm.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

How = Literal["main", "program", "function", "unittest", "pytest"]

EXPORTS: Final = frozenset(
    {
        "torch.export.export",
        "torch.export.draft_export",
        "torch.export.export_for_training",
        "torch.export.export_for_inference",
        "torch.onnx.export",
    }
)
_MODULES: Final = frozenset({"torch", "torch.export", "torch.onnx"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class CallSite:
    """A call of the text. `function` is the outermost function or method around it, '' at module level."""

    row: int
    end_row: int
    function: str


@dataclass(frozen=True)
class Holder:
    """What to run to get to some of the sites: the file as a program, or functions and tests of it."""

    how: How
    names: tuple[str, ...]
    sites: tuple[CallSite, ...]

    def to_json(self) -> dict[str, Any]:
        """As the worker reads it."""
        return {"how": self.how, "names": list(self.names)}


@dataclass(frozen=True)
class Calls:
    """All calls of a text. `lost` are sites that nothing in the text gets to without arguments from outside.

    `scopes` says, for each function by its first row (0: the module), on which rows a call may still come: spans of
    rows, and whether a loop makes them come again.
    """

    sites: tuple[CallSite, ...]
    holders: tuple[Holder, ...]
    lost: tuple[CallSite, ...]
    scopes: dict[int, list[tuple[int, int, bool]]]


Resolve = Callable[[str, int], "str | None"]
"""The text of a module of the project, by its name and the dots before it; None for any other module."""

# A helper of a helper of a helper: no further.
MAX_DEPTH: Final = 3


def of_text(text: str, resolve: Resolve | None = None) -> Calls:
    """The calls of a text: of torch.export's functions, and of functions of the project that call these in turn.

    Raises:
        SyntaxError: it is no Python.
    """
    if "export" not in text and resolve is None:
        return Calls((), (), (), {})
    tree = parsed(text)
    reader = _Reader(tree, _helpers(tree, resolve, MAX_DEPTH))
    holders, lost = reader.holders()
    return Calls(tuple(reader.sites), tuple(holders), tuple(lost), reader.scopes())


def _helpers(tree: ast.Module, resolve: Resolve | None, depth: int) -> frozenset[str]:
    """The names by which a text knows functions and classes of other files that export something."""
    found: set[str] = set()
    if resolve is None or depth == 0:
        return frozenset()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = {alias.name: alias.asname or alias.name for alias in node.names}
            exporting = _exporting(resolve(node.module or "", node.level), resolve, depth)
            found |= (
                {local for name, local in names.items() if name in exporting or name == "*"} if exporting else set()
            )
            for name, local in names.items():
                inner = _exporting(resolve(f"{node.module or ''}.{name}".strip("."), node.level), resolve, depth)
                found |= {f"{local}.{one}" for one in inner}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                inner = _exporting(resolve(alias.name, 0), resolve, depth)
                found |= {f"{alias.asname or alias.name}.{one}" for one in inner}
    return frozenset(found)


def _exporting(text: str | None, resolve: Resolve, depth: int) -> set[str]:
    """The functions and classes of a text that lead to a call."""
    if text is None or ("export" not in text and "import" not in text):
        return set()
    try:
        tree = parsed(text)
    except SyntaxError:
        return set()
    return _Reader(tree, _helpers(tree, resolve, depth - 1)).reaching


class _Names:
    """Which expressions of a text are one of `EXPORTS`, by its imports and the names that it gives them, or one of the
    `helpers` that lead to these."""

    def __init__(self, tree: ast.Module, helpers: frozenset[str]) -> None:
        self._helpers = helpers
        self._known: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    self._known.setdefault(alias.asname or whole, whole)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    self._known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for _ in range(3):  # an alias of an alias of an alias
            for node in ast.walk(tree):
                if isinstance(node, ast.Assign) and (name := self.of(node.value)):
                    for target in node.targets:
                        if isinstance(target, (ast.Name, ast.Attribute)):
                            self._known[ast.unparse(target)] = name

    def exports(self, call: ast.Call) -> bool:
        """Whether a call is one of torch.export, or leads to one in another file."""
        return self.of(call.func) in EXPORTS or (bool(self._helpers) and ast.unparse(call.func) in self._helpers)

    def of(self, node: ast.expr) -> str:
        """The full name of an expression that is a module or function of torch's; '' for any other."""
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
            return self._constant(node.slice)
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            if function.rpartition(".")[2] == "import_module" and node.args:
                return self._constant(node.args[0])
            if function.rpartition(".")[2] == "partial" and node.args:
                return self.of(node.args[0])
            if function == "getattr" and len(node.args) > 1:
                module, name = self.of(node.args[0]), node.args[1]
                if isinstance(name, ast.Constant):
                    return self._named(f"{module}.{name.value}")
                return "torch.export.export" if module == "torch.export" else ""
            return ""
        if isinstance(node, ast.Name):
            return self._named(self._known.get(node.id, node.id))
        if isinstance(node, ast.Attribute):
            whole = self._known.get(ast.unparse(node))
            return self._named(whole or f"{self.of(node.value)}.{node.attr}")
        return ""

    def _constant(self, node: ast.expr) -> str:
        """The module that a string names."""
        return self._named(str(node.value)) if isinstance(node, ast.Constant) else ""

    def _named(self, name: str) -> str:
        return name if name in EXPORTS or name in _MODULES else ""


class _Scope:
    """A function, a method or the module. `key` is the row on which its code begins."""

    def __init__(self, node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, names: tuple[str, ...]) -> None:
        self.node = node
        self.names = names
        self.direct = False
        self.mentions: set[str] = set()
        self.classes: tuple[ast.ClassDef, ...] = ()

    @property
    def key(self) -> int:
        """Where Python says that the code begins: decorators count."""
        if isinstance(self.node, ast.Module):
            return 0
        return min([self.node.lineno, *(d.lineno for d in self.node.decorator_list)])


class _Reader:
    def __init__(self, tree: ast.Module, helpers: frozenset[str] = frozenset()) -> None:
        self._names = _Names(tree, helpers)
        self._module = _Scope(tree, ())
        self._scopes: list[_Scope] = [self._module]
        self.sites: list[CallSite] = []
        self._of_scope: dict[int, list[CallSite]] = defaultdict(list)
        self._own = _bound(tree)
        self._read(tree.body, self._module, (), ())
        self._handed_on = self._hands_on(tree)
        self.reaching = self._reaching()
        """The names of functions and classes through which a call can be reached."""

    def _read(
        self, body: Iterable[ast.stmt], scope: _Scope, names: tuple[str, ...], classes: tuple[ast.ClassDef, ...]
    ) -> None:
        for statement in body:
            if isinstance(statement, _FUNCTIONS):
                inner = _Scope(statement, (*names, statement.name))
                inner.classes = classes
                self._scopes.append(inner)
                self._expressions([*statement.decorator_list, *statement.args.defaults], scope)
                if _runs_alone(inner) not in ("unittest", "pytest") and self._registers(statement):
                    scope.mentions.add(statement.name)
                self._read(statement.body, inner, (*names, statement.name), classes)
            elif isinstance(statement, ast.ClassDef):
                self._read(statement.body, scope, (*names, statement.name), (*classes, statement))
            else:
                self._expressions(_own_expressions(statement), scope)
                self._read(inner_statements(statement), scope, names, classes)

    def _registers(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a decorator of the file gets hold of a function, so that the file may call it by another name."""
        return any(_root(decorator) in self._own for decorator in function.decorator_list)

    def _expressions(self, expressions: list[ast.expr], scope: _Scope) -> None:
        for expression in expressions:
            for node in ast.walk(expression):
                if isinstance(node, ast.Name):
                    scope.mentions.add(node.id)
                elif isinstance(node, ast.Attribute):
                    scope.mentions.add(node.attr)
                if isinstance(node, ast.Call) and self._names.exports(node):
                    scope.direct = True
                    site = CallSite(node.lineno, node.end_lineno or node.lineno, ".".join(scope.names))
                    self.sites.append(site)
                    self._of_scope[scope.key].append(site)

    def _reaching(self) -> set[str]:
        """The names of functions and classes through which a site can be reached."""
        reaching: set[str] = set()
        changed = True
        while changed:
            changed = False
            for scope in self._scopes:
                if scope is self._module or not (scope.direct or scope.mentions & reaching):
                    continue
                new = {name for name in scope.names if not name.startswith("__")} - reaching
                changed = changed or bool(new)
                reaching |= new
        return reaching

    def _hands_on(self, tree: ast.Module) -> bool:
        """Whether a function of torch.export is used as a value, so that a call of any name may be a call of it."""
        named: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                named.add(id(node.func))
            if isinstance(node, ast.Assign) and self._names.of(node.value) in EXPORTS:
                named |= {id(part) for part in ast.walk(node.value)}
                named |= {id(target) for target in node.targets}
        return any(
            isinstance(node, (ast.Name, ast.Attribute, ast.Call))
            and id(node) not in named
            and not isinstance(getattr(node, "ctx", None), ast.Store)
            and self._names.of(node) in EXPORTS
            for node in ast.walk(tree)
        )

    def scopes(self) -> dict[int, list[tuple[int, int, bool]]]:
        """See `Calls.scopes`."""
        if self._handed_on:
            return {scope.key: [(0, (scope.node.body[-1].end_lineno or 0), True)] for scope in self._scopes}
        return {scope.key: spans for scope in self._scopes if (spans := list(self._spans(scope.node.body, None)))}

    def _spans(self, body: Iterable[ast.stmt], loop: tuple[int, int] | None) -> Iterator[tuple[int, int, bool]]:
        for statement in body:
            if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
                continue
            first, last = statement.lineno, statement.end_lineno or statement.lineno
            around = (first, last) if loop is None and isinstance(statement, _LOOPS) else loop
            own = _own_expressions(statement)
            if any(self._leads(node) for expression in own for node in ast.walk(expression)):
                again = around is not None or any(
                    isinstance(node, _COMPREHENSIONS) for expression in own for node in ast.walk(expression)
                )
                low = min(expression.lineno for expression in own)
                high = max(expression.end_lineno or expression.lineno for expression in own)
                yield (*(around or (min(low, first), high)), again)
            yield from self._spans(inner_statements(statement), around)

    def _leads(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.reaching
        if isinstance(node, ast.Attribute):
            return node.attr in self.reaching
        return isinstance(node, ast.Call) and self._names.exports(node)

    def _reached_from(self, scopes: list[_Scope]) -> list[CallSite]:
        """The sites of some scopes, and of all that they lead to."""
        done: set[int] = set()
        pending = list(scopes)
        found: list[CallSite] = []
        while pending:
            scope = pending.pop()
            if scope.key in done:
                continue
            done.add(scope.key)
            found += self._of_scope[scope.key]
            pending += [s for s in self._scopes if s.names and s.key not in done and scope.mentions & set(s.names)]
        return sorted(found, key=lambda site: site.row)

    def holders(self) -> tuple[list[Holder], list[CallSite]]:
        """What to run, the file as a program first; and the sites that nothing gets to."""
        found: list[Holder] = []
        left = list(self.sites)

        def hold(how: How, names: tuple[str, ...], sites: list[CallSite]) -> None:
            # Several tests may share a helper that exports what each gives it.
            shared = how in ("unittest", "pytest")
            mine = tuple(site for site in sites if site in left or (shared and site not in by_program))
            if mine:
                found.append(Holder(how, names, mine))
                left[:] = [site for site in left if site not in mine]

        by_program: tuple[CallSite, ...] = ()
        hold("main", (), self._reached_from([self._module]))
        if found:
            by_program = found[0].sites
        if self._handed_on and not found:
            found.append(Holder("main", (), ()))
        runnable: list[tuple[_Scope, How]] = [
            (scope, how) for scope in self._scopes if (how := _runs_alone(scope)) is not None
        ]
        # A test runs what it calls; what it calls may run alone as well, but not as the test calls it.
        for scope, how in sorted(runnable, key=lambda item: item[1] == "function"):
            hold(how, (".".join(scope.names),), self._reached_from([scope]))
        return found, left

    def alone(self, site: CallSite) -> Holder | None:
        """The function of a site, run by itself, where it can be."""
        for scope in self._scopes:
            if ".".join(scope.names) == site.function and (how := _runs_alone(scope)) is not None:
                return Holder(how, (site.function,), (site,))
        return None


def alone(text: str, site: CallSite) -> Holder | None:
    """The function of a site run by itself: for where the file as a program did not get there."""
    return _Reader(parsed(text)).alone(site)


def _runs_alone(scope: _Scope) -> How | None:
    node = scope.node
    if isinstance(node, ast.Module) or len(scope.names) != len(scope.classes) + 1:
        return None
    parameters = node.args
    count = len(parameters.posonlyargs) + len(parameters.args) - len(parameters.defaults)
    count += sum(default is None for default in parameters.kw_defaults)
    if scope.classes:
        kind = scope.classes[-1]
        if any(ast.unparse(base).endswith("TestCase") for base in kind.bases) and node.name.startswith("test"):
            return "unittest" if count == 1 and not node.decorator_list else "pytest"
        return "pytest" if kind.name.startswith("Test") and node.name.startswith("test") else None
    if node.name.startswith("test"):
        return "pytest"
    if count or any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list):
        return None
    return "function"


def _bound(tree: ast.Module) -> frozenset[str]:
    """The names that a module itself binds at its top: functions, classes and variables, not what it imports."""
    names: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            names.add(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names |= {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
    return frozenset(names)


def _root(node: ast.expr) -> str:
    """The name that an expression of attributes, calls and subscripts begins with; '' if it begins otherwise."""
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _own_expressions(statement: ast.stmt) -> list[ast.expr]:
    """The expressions of a statement, without those of the statements in it."""
    found: list[ast.expr] = []
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            found.append(child)
        elif isinstance(child, ast.withitem):
            found += [part for part in (child.context_expr, child.optional_vars) if part is not None]
        elif isinstance(child, ast.keyword):
            found.append(child.value)
    return found
