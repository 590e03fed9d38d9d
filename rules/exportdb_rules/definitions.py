"""What a file defines: its classes and functions as they are written, and the names that its top level binds."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.bodies import Body, mentions_store, outline
from exportdb_rules.source import Lines, SyntaxProblem, Tree, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from exportdb_rules.project import Project

# What follows the name of a property in the name of its setter among the methods of a class.
SETTER: Final = ".setter"
MODULE_BASES: Final = frozenset(
    {
        "torch.nn.Module",
        "torch.nn.modules.Module",
        "torch.nn.modules.module.Module",
        "torch.jit.ScriptModule",
        "torch.nn.parallel.DistributedDataParallel",
        "pytorch_lightning.LightningModule",
        "lightning.LightningModule",
        "lightning.pytorch.LightningModule",
        "lightning.fabric.wrappers._FabricModule",
    }
)
_ENUMS: Final = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
# Where packages keep modules alone.
_MODULES_OF_LIBRARIES: Final = (
    "torch.nn.",
    "torchvision.models.",
    "torchvision.ops.",
    "torchaudio.models.",
    "torchaudio.transforms.",
)
_MODULE_ENDINGS: Final = (
    "Module",
    "Model",
    "PreTrainedModel",
    "ModelMixin",
    "Layer",
    "Block",
    "Backbone",
    "Head",
    "Net",
)


class Import:
    """A name bound by an import: a whole module, or an attribute of one."""

    __slots__ = ("attribute", "module")

    def __init__(self, module: str, attribute: str | None) -> None:
        self.module = module
        self.attribute = attribute


class FunctionInfo:
    """A function, method or lambda as it is written."""

    __slots__ = (
        "_decorators",
        "_generator",
        "_returned_parameter",
        "cls",
        "module",
        "name",
        "node",
        "read",
        "said",
        "written",
    )

    def __init__(
        self,
        name: str,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        module: Module,
        cls: ClassInfo | None,
    ) -> None:
        self.name = name
        self.node = node
        self.module = module
        self.cls = cls
        self._decorators: tuple[str, ...] | None = None
        self._generator: bool | None = None
        self._returned_parameter: str | None = None
        # What `exportdb_rules.interpreter.attributes` keeps: the attributes that it binds.
        self.written: frozenset[str] | None = None
        # What `exportdb_rules.catalog.mutation.reads` keeps: the attributes that it reads.
        self.read: frozenset[str] | None = None
        # What `exportdb_rules.interpreter.effects` keeps of its text.
        self.said: object = None

    def renew(self, other: FunctionInfo) -> None:
        """Take the body of the same function in a newer text."""
        self.node = other.node
        self._generator = None
        self._returned_parameter = None
        self.written = None
        self.read = None
        self.said = None

    @property
    def decorators(self) -> tuple[str, ...]:
        """The decorators as dotted text, without their arguments."""
        if self._decorators is None:
            self._decorators = () if isinstance(self.node, ast.Lambda) else decorators(self.node)
        return self._decorators

    def may_write(self, name: str) -> bool:
        """Whether it is worth to look for an assignment to an attribute of that name in it, as far as its text tells."""
        body = None if isinstance(self.node, ast.Lambda) else self.node.body
        return not isinstance(body, Body) or not body.unread or mentions_store(body.text, name)

    @property
    def generator(self) -> bool:
        """Whether a call of it makes a generator."""
        if self._generator is None:
            self._generator = (
                not isinstance(self.node, ast.Lambda)
                and self.module.mentions("yield")
                and any("yield" in row for row in self.module.parsed[self.node.lineno - 1 : self.node.end_lineno])
                and any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_nodes(self.node))
            )
        return self._generator

    @property
    def returned_parameter(self) -> str:
        """The parameter that every call returns which returns at all, as it was given; empty where there is none."""
        if self._returned_parameter is None:
            self._returned_parameter = _returned_parameter(self.node)
        return self._returned_parameter


def _returned_parameter(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    """See `FunctionInfo.returned_parameter`."""
    last = function.body[-1] if isinstance(function, ast.FunctionDef) and function.body else None
    name = last.value.id if isinstance(last, ast.Return) and isinstance(last.value, ast.Name) else ""
    spec = function.args
    if name not in {argument.arg for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}:
        return ""
    if any(_binds(node, name) for node in ast.walk(function)):
        return ""
    returned = [node.value for node in own_statements(function) if isinstance(node, ast.Return)]
    return name if all(isinstance(value, ast.Name) and value.id == name for value in returned) else ""


def _binds(node: ast.AST, name: str) -> bool:
    """Whether a node may give a name another value, or makes a generator of its function."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    if isinstance(node, ast.alias):
        return name in (node.asname, node.name.partition(".")[0], "*")
    return isinstance(node, (ast.Yield, ast.YieldFrom)) or name in (
        getattr(node, "name", ""),
        getattr(node, "rest", ""),
    )


def parameters_of(function: FunctionInfo) -> list[str]:
    """The parameters of a function that are given by position, without the object that a method is called on."""
    spec = function.node.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    return names[1:] if function.cls is not None and "staticmethod" not in function.decorators else names


def declared_of(function: FunctionInfo) -> list[str]:
    """The parameters of a function that `dynamic_shapes` may speak of, in the order of the signature. Nothing can be declared of what
    `**kwargs` takes (case `dynamic_shapes_kwargs`)."""
    spec = function.node.args
    more = [spec.vararg, *spec.kwonlyargs] if spec.vararg is not None else spec.kwonlyargs
    return [*parameters_of(function), *[argument.arg for argument in more]]


def defaults_of(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> dict[str, ast.expr]:
    """The defaults of a function's parameters, by name."""
    spec = function.args
    named = [*spec.posonlyargs, *spec.args]
    found = {arg.arg: node for arg, node in zip(named[len(named) - len(spec.defaults) :], spec.defaults, strict=True)}
    keywords = zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    return found | {arg.arg: node for arg, node in keywords if node is not None}


def positional_count(function: FunctionInfo) -> tuple[int, int | None]:
    """How many arguments a function must be given by position, and how many it takes; None where there is no limit."""
    spec, count = function.node.args, len(parameters_of(function))
    return max(count - len(spec.defaults), 0), None if spec.vararg is not None else count


class ClassInfo:
    """A class as it is written. `name` is its qualified name, `module` the namespace that its functions see; `assigns` are
    the expressions given to its own names, `inner` the classes in it, `outer` the class that it is in."""

    __slots__ = (
        "_found", "_mro", "annotations", "assigns", "inner", "methods", "module", "name", "node", "outer", "own_written", "written",
    )  # fmt: skip

    def __init__(self, node: ast.ClassDef, module: Module, prefix: str = "", outer: ClassInfo | None = None) -> None:
        self.name = prefix + node.name
        self.node = node
        self.module = module
        self.outer = outer
        self.inner: dict[str, ClassInfo] = {}
        self.methods: dict[str, FunctionInfo] = {}
        self.assigns: dict[str, ast.expr] = {}
        self.annotations: dict[str, ast.expr] = {}
        self._mro: tuple[ClassInfo | str, ...] | None = None
        self._found: dict[tuple[str, ClassInfo | None], FunctionInfo | None] = {}
        # Whether its methods, those of its bases too or not, write an attribute: see `attributes.may_write`.
        self.written: dict[str, bool] = {}
        self.own_written: dict[str, bool] = {}
        self._read(node.body)

    def _read(self, body: list[ast.stmt]) -> None:
        for item in body:
            kind = type(item)
            if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                old = self.methods.get(item.name)  # type: ignore[attr-defined]
                info = FunctionInfo(item.name, item, self.module, self)  # type: ignore[attr-defined, arg-type]
                # A property's setter comes behind its getter under the same name, and overloads before the real one.
                if old is None or not any(d.endswith((".setter", ".deleter")) for d in info.decorators):
                    self.methods[info.name] = info
                elif any(d.endswith(".setter") for d in info.decorators):
                    self.methods[f"{info.name}{SETTER}"] = info
            elif kind is ast.Assign:
                for target in item.targets:  # type: ignore[attr-defined]
                    if not isinstance(target, ast.Name):
                        continue
                    if isinstance(item.value, ast.Name) and item.value.id in self.methods:  # type: ignore[attr-defined]
                        self.methods[target.id] = self.methods[item.value.id]  # type: ignore[attr-defined]
                    else:
                        self.assigns[target.id] = item.value  # type: ignore[attr-defined]
            elif kind is ast.AnnAssign and isinstance(item.target, ast.Name):  # type: ignore[attr-defined]
                self.annotations[item.target.id] = item.annotation  # type: ignore[attr-defined]
                if item.value is not None:  # type: ignore[attr-defined]
                    self.assigns[item.target.id] = item.value  # type: ignore[attr-defined]
            elif kind is ast.ClassDef:
                self.inner[item.name] = ClassInfo(item, self.module, f"{self.name}.", self)  # type: ignore[attr-defined, arg-type]
            elif kind is ast.If or kind is ast.Try:
                self._read(item.body)  # type: ignore[attr-defined]
                self._read(item.orelse)  # type: ignore[attr-defined]

    def links(self) -> Links:
        """What is known by the bases."""
        return self._mro, self._found, self.written

    def link(self, links: Links) -> bool:
        """Know again what was known by the bases; False, and nothing changed, where they were looked for meanwhile."""
        if self._mro is not None:
            return False
        self._mro, self._found, self.written = links
        return True

    def unlink(self) -> None:
        """Forget the bases; they are looked for again when they are asked for."""
        self._mro = None
        self._found = {}
        self.written = {}

    def dissolve(self) -> None:
        """See `Module.dissolve`."""
        for inner in self.inner.values():
            inner.dissolve()
        self.inner.clear()
        self.methods.clear()
        self.unlink()

    def mro(self, project: Project) -> tuple[ClassInfo | str, ...]:
        """This class and its bases, nearest first; a base outside the project is its qualified name."""
        # Bases first, and not by recursion: a line of a thousand classes is no deeper than one of two.
        waiting: list[tuple[ClassInfo, bool]] = [(self, False)] if self._mro is None else []
        while waiting:
            cls, bases_known = waiting.pop()
            if bases_known:
                cls._mro = cls._line(project)
            elif cls._mro is None:
                cls._mro = (cls,)  # a cycle of bases finds this
                project.linked.append(cls)
                waiting.append((cls, True))
                bases = [base for base in cls._bases(project) if isinstance(base, ClassInfo)]
                waiting += [(base, False) for base in reversed(bases)]
        assert self._mro is not None
        return self._mro

    def _bases(self, project: Project) -> Iterator[ClassInfo | str]:
        for base in self.node.bases:
            beside = self.outer.inner.get(base.id) if self.outer is not None and isinstance(base, ast.Name) else None
            target: object = beside if beside is not self else None
            if target is None:
                plain = base.value if isinstance(base, ast.Subscript) else base
                target = project.resolve_expression(self.module, plain)
            if isinstance(target, str):
                target = project.followed_class(target, self.module) or target
            yield target if isinstance(target, (ClassInfo, str)) else "?" + dotted(base)

    def _line(self, project: Project) -> tuple[ClassInfo | str, ...]:
        """`mro`, once those of the bases are known."""
        found: list[ClassInfo | str] = [self]
        for base in self._bases(project):
            line = base.mro(project) if isinstance(base, ClassInfo) else (base,)
            if isinstance(base, ClassInfo):
                found = [c for c in found if c not in line or c is self]
            found.extend(line)
        return tuple(found)

    def find(self, name: str, project: Project, after: ClassInfo | None = None) -> FunctionInfo | None:
        """A method by the order of the bases; with `after`, only from behind that class (what `super()` finds)."""
        key = (name, after)
        if self._mro is None or key not in self._found:
            line = self.mro(project)
            start = line.index(after) + 1 if after is not None and after in line else 0
            owners = [cls for cls in line[start:] if isinstance(cls, ClassInfo)]
            self._found[key] = next((cls.methods[name] for cls in owners if name in cls.methods), None)
        return self._found[key]

    def find_assign(self, name: str, project: Project) -> tuple[ClassInfo, ast.expr] | None:
        """The expression given to a class attribute, and the class that gives it."""
        for cls in self.mro(project):
            if isinstance(cls, ClassInfo) and (value := cls.assigns.get(name)) is not None:
                return cls, value
        return None

    def find_inner(self, name: str, project: Project) -> ClassInfo | None:
        """A class in this class, or in one of its bases."""
        for cls in self.mro(project):
            if isinstance(cls, ClassInfo) and (inner := cls.inner.get(name)) is not None:
                return inner
        return None

    def external_bases(self, project: Project) -> tuple[str, ...]:
        """The qualified names of the bases outside the project; one that cannot be resolved begins with `?`."""
        return tuple([c for c in self.mro(project) if isinstance(c, str)])

    def is_enum(self, project: Project) -> bool:
        """Whether its members are those of an Enum."""
        return any(base.rpartition(".")[2] in _ENUMS for base in self.external_bases(project))

    def is_module(self, project: Project) -> bool:
        """Whether it derives from `torch.nn.Module`, as far as can be seen."""
        known = self._derives(project)
        return self.find("forward", project) is not None if known is None else known

    def _derives(self, project: Project) -> bool | None:
        """Whether a base is torch's; None where nothing but the name of a base speaks for it.

        Where the source of an installed package is at hand, the bases of its classes decide.
        """
        named = False
        for base in self.external_bases(project):
            if base in MODULE_BASES or base.startswith(_MODULES_OF_LIBRARIES):
                return not base.startswith(("torch.nn.functional", "torch.nn.utils", "torch.nn.Parameter"))
            if base.startswith("torch."):
                continue
            installed = project.installed_class(base, self.module)
            derives = None if installed is None else installed._derives(project)
            if derives:
                return True
            named = named or (derives is None and base.rsplit(".", 1)[-1].endswith(_MODULE_ENDINGS))
        return None if named else False


# See `ClassInfo.links`.
Links = tuple[
    "tuple[ClassInfo | str, ...] | None", "dict[tuple[str, ClassInfo | None], FunctionInfo | None]", "dict[str, bool]"
]


_INSTALLED: Final = tuple(f"{os.sep}{folder}{os.sep}" for folder in ("site-packages", "dist-packages"))


class Module:
    """One file: what its top level binds, found without running it.

    `digest` tells the content of the file that was read; it is empty for a text that is not on disk. `lookups` are the
    modules that were looked for on this file's behalf, and where they were found, `rests` what else was read for it (see
    `Project.behind`). `pieces` is what `exportdb_rules.incremental` keeps of the text, `exports` what
    `exportdb_rules.dynamic_shapes` does, `locals` what `exportdb_rules.namespaces` does, `told` what
    `exportdb_rules.catalog.mutation.caches` does. `around` and `prefix` are those of a namespace inside the file, see there.
    `unread` are the bodies of its functions that are parsed when they are looked at.
    """

    __slots__ = (
        "_mentioned",
        "around",
        "body",
        "classes",
        "digest",
        "exports",
        "filename",
        "functions",
        "is_package",
        "lines",
        "locals",
        "lookups",
        "name",
        "pieces",
        "prefix",
        "problem",
        "repaired",
        "rests",
        "scope",
        "text",
        "told",
        "unread",
    )

    def __init__(
        self,
        filename: str,
        name: str,
        text: str,
        *,
        is_package: bool,
        digest: str = "",
        whole: bool = True,
        tree: Tree | None = None,
    ) -> None:
        found = None if whole else outline(text)
        if tree is None:
            tree = parse(text) if found is None else Tree(found[0], None)
        self.unread = None if found is None else found[1]
        self.digest = digest
        self.lookups: dict[str, str | None] = {}
        self.rests: set[str] = set()
        self.filename = filename
        self.name = name
        self.text = text
        self.is_package = is_package
        self.body = tree.body
        self.problem: SyntaxProblem | None = tree.problem
        self.repaired = tree.repaired
        self.lines = Lines(text)
        self.scope: dict[str, list[Import | FunctionInfo | ClassInfo | ast.expr | None]] = {}
        self.classes: list[ClassInfo] = []
        self.functions: list[FunctionInfo] = []
        self.pieces: object = None
        self.exports: object = None
        self.locals: object = None
        self.told: dict[tuple[object, ast.AST], object] = {}
        self.prefix = ""
        self.around: Module | None = None
        self._mentioned: dict[str, bool] = {}
        self._bind(tree.body)

    @property
    def file(self) -> Module:
        """The whole file, of which this may be a namespace."""
        return self if self.around is None else self.around.file

    def read_whole(self) -> None:
        """Parse what is left of the text, and find what is wrong with it."""
        if self.unread is not None:
            tree = self.unread.finish()
            self.unread = None
            if tree is not None:
                self.problem, self.repaired = tree.problem, tree.repaired

    def binds(self, name: str) -> bool:
        """Whether the file binds a name, as it is seen from here."""
        return name in self.scope or (self.around is not None and self.around.binds(name))

    def mentions(self, word: str) -> bool:
        """Whether a word stands anywhere in the text; asked for every entry of a large file, so it is remembered."""
        known = self._mentioned.get(word)
        if known is None:
            known = self._mentioned[word] = word in self.text
        return known

    @property
    def is_plain_library(self) -> bool:
        """Whether the file is installed, not the user's, and says nothing of torch."""
        return not self.mentions("torch") and any(folder in self.filename for folder in _INSTALLED)

    def renew(self, other: Module) -> None:
        """Take the text of a newer version in which nothing but function bodies changed; the tree is not touched."""
        self.exports = None
        self.told = {}
        self.follow(other)

    def follow(self, other: Module) -> None:
        """Have the text of another."""
        self.text = other.text
        self._mentioned = other._mentioned
        self.problem = other.problem
        self.repaired = other.repaired
        self.lines = other.lines

    def dissolve(self) -> None:
        """Nobody needs it any more: what refers to itself in a circle would wait for the garbage collector."""
        self.body = []
        if self.unread is not None:
            self.unread.dissolve()
        self.unread = self.pieces = self.exports = self.locals = None
        for cls in self.classes:
            cls.dissolve()
        self.classes.clear()
        self.functions.clear()
        self.scope.clear()

    @property
    def parsed(self) -> list[str]:
        """The lines that the tree was made of: those of the text, without its broken statements."""
        return self.lines.rows if self.repaired is None else self.repaired

    def _bind(self, body: list[ast.stmt]) -> None:
        for node in body:
            kind = type(node)
            if kind is ast.ClassDef:
                info = ClassInfo(node, self, self.prefix)  # type: ignore[arg-type]
                self.classes.append(info)
                self._add(info.node.name, info)
            elif kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                function = FunctionInfo(node.name, node, self, None)  # type: ignore[attr-defined, arg-type]
                if not overloads(node):  # type: ignore[arg-type]
                    self.functions.append(function)
                    self._add(function.name, function)
            elif kind is ast.Import:
                for alias in cast("list[ast.alias]", node.names):  # type: ignore[attr-defined]
                    if alias.asname is not None:
                        self._add(alias.asname, Import(alias.name, None))
                    else:
                        self._add(alias.name.partition(".")[0], Import(alias.name.partition(".")[0], None))
            elif kind is ast.ImportFrom:
                source = self.absolute_import(node)  # type: ignore[arg-type]
                for alias in cast("list[ast.alias]", node.names):  # type: ignore[attr-defined]
                    self._add(alias.asname or alias.name, Import(source, alias.name))
            elif kind is ast.Assign:
                for target in cast("list[ast.expr]", node.targets):  # type: ignore[attr-defined]
                    self._bind_target(target, node.value)  # type: ignore[attr-defined]
                    self._give_method(target, node.value)  # type: ignore[attr-defined]
            elif kind is ast.AnnAssign:
                if node.value is not None:  # type: ignore[attr-defined]
                    self._bind_target(node.target, node.value)  # type: ignore[attr-defined]
            elif kind is ast.AugAssign:
                self._bind_target(node.target, None)  # type: ignore[attr-defined]
            elif kind is ast.Expr and isinstance(node.value, ast.Call):  # type: ignore[attr-defined]
                self._give_methods_by_call(node.value)  # type: ignore[attr-defined]
            elif kind is ast.If:
                if not is_main_guard(node):  # type: ignore[arg-type]
                    self._bind(node.body)  # type: ignore[attr-defined]
                    self._bind(node.orelse)  # type: ignore[attr-defined]
            elif kind is ast.Try:
                self._bind(node.body)  # type: ignore[attr-defined]
                for handler in cast("list[ast.ExceptHandler]", node.handlers):  # type: ignore[attr-defined]
                    self._bind(handler.body)
                self._bind(node.orelse)  # type: ignore[attr-defined]
                self._bind(node.finalbody)  # type: ignore[attr-defined]
            elif kind is ast.With:
                for item in cast("list[ast.withitem]", node.items):  # type: ignore[attr-defined]
                    if item.optional_vars is not None:
                        self._bind_target(item.optional_vars, None)
                self._bind(node.body)  # type: ignore[attr-defined]
            elif kind is ast.For or kind is ast.While:
                if kind is ast.For:
                    self._bind_target(node.target, None)  # type: ignore[attr-defined]
                self._bind(node.body)  # type: ignore[attr-defined]
                self._bind(node.orelse)  # type: ignore[attr-defined]

    def _give_method(self, target: ast.expr, value: ast.expr) -> None:
        """`Attention.forward = grouped_forward`: a function of the file is a method of a class of the file. `Attention.fused =
        True`: so is a constant an attribute."""
        if not isinstance(target, ast.Attribute) or not isinstance(value, (ast.Name, ast.Lambda, ast.Constant)):
            return
        owner = self._bound_last(target.value)
        if not isinstance(owner, ClassInfo):
            return
        if isinstance(value, ast.Constant):
            owner.assigns[target.attr] = value
            return
        named = self._bound_last(value)
        method = FunctionInfo(target.attr, value, self, owner) if isinstance(value, ast.Lambda) else named
        if isinstance(method, FunctionInfo):
            method.cls = owner
            owner.methods[target.attr] = method

    def _bound_last(self, name: ast.expr) -> Import | FunctionInfo | ClassInfo | ast.expr | None:
        """What a name is bound to above the statement at hand."""
        return self.scope.get(dotted(name), [None])[-1]

    def _give_methods_by_call(self, call: ast.Call) -> None:
        """`setattr(Attention, "forward", grouped_forward)`, or the call of a function of the file that does such things."""
        done = self._bound_last(call.func)
        if dotted(call.func) == "setattr" and len(call.args) == 3:
            owner, name, value = call.args
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                self._give_method(ast.Attribute(owner, name.value, ast.Store()), value)
        elif isinstance(done, FunctionInfo) and isinstance(done.node, ast.FunctionDef) and self.mentions(".forward ="):
            for statement in done.node.body:
                if isinstance(statement, ast.Assign):
                    for target in statement.targets:
                        self._give_method(target, statement.value)

    def _bind_target(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self._add(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            values: list[ast.expr | None] = [None] * len(target.elts)
            if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                values = [*value.elts]
            elif isinstance(value, ast.Call) and dotted(value.func).rpartition(".")[2] == "dims":
                values = _dims(value, len(values))
            for element, part in zip(target.elts, values, strict=True):
                self._bind_target(element, part)

    def _add(self, name: str, bound: Import | FunctionInfo | ClassInfo | ast.expr | None) -> None:
        self.scope.setdefault(name, []).append(bound)

    def absolute_import(self, node: ast.ImportFrom) -> str:
        """The module that a `from … import` names, its dots resolved."""
        return absolute_import(node, self.name, is_package=self.is_package)


def absolute_import(node: ast.ImportFrom, name: str, *, is_package: bool) -> str:
    """The module that a `from … import` of the module `name` names, its dots resolved."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    keep = len(parts) - node.level + (1 if is_package else 0)
    base = ".".join(parts[: max(keep, 0)])
    return f"{base}.{node.module}" if base and node.module else (node.module or base)


def overloads(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is only declared, for type checkers."""
    return any(d.rsplit(".", 1)[-1] == "overload" for d in decorators(node))


def _dims(call: ast.Call, count: int) -> list[ast.expr | None]:
    """What each of `a, b = torch.export.dims("a", "b", max=8)` is bound to: a call for its name alone."""
    if len(call.args) != count or any(isinstance(name, ast.Starred) for name in call.args):
        return [None] * count
    return [ast.copy_location(ast.Call(call.func, [name], call.keywords), call) for name in call.args]


def is_main_guard(node: ast.If) -> bool:
    """Whether a branch is that of `if __name__ == "__main__"`."""
    test = node.test
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def root_name(node: ast.expr) -> str:
    """The name that an attribute or an item belongs to in the end; '' of anything else."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def dotted(node: ast.expr) -> str:
    """`a.b.c` of a chain of names; '' for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def decorators(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> tuple[str, ...]:
    """The decorators of a definition as dotted text, without their arguments."""
    return tuple([dotted(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list])


def is_one_of(decorator: str, names: Iterable[str]) -> bool:
    """Whether a decorator has one of these names, alone or behind a module: `custom_op` also as `torch.library.custom_op`."""
    return f".{decorator}".endswith(tuple([f".{name}" for name in names]))


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions, lambdas and classes inside it."""
    stack = list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack.extend(ast.iter_child_nodes(node))


def own_statements(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a function, at any depth, without those of functions and classes inside it."""
    stack: list[ast.stmt] = list(getattr(function, "body", ())) if not isinstance(function, ast.Lambda) else []
    while stack:
        node = stack.pop()
        yield node
        kind = node.__class__
        if kind in _COMPOUND:
            stack.extend(node.body)  # type: ignore[attr-defined]
            stack.extend(getattr(node, "orelse", ()))
            if kind is ast.Try:
                stack.extend(node.finalbody)  # type: ignore[attr-defined]
                for handler in cast("list[ast.ExceptHandler]", node.handlers):  # type: ignore[attr-defined]
                    stack.extend(handler.body)
        elif kind is ast.Match:
            for case in cast("list[ast.match_case]", node.cases):  # type: ignore[attr-defined]
                stack.extend(case.body)


_COMPOUND: Final = frozenset({ast.If, ast.For, ast.While, ast.With, ast.Try})
