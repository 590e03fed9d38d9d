"""What the submodules of a class make of their input, read from the constructor's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.known.names import names, targets
from exportdb_rules.rewrite.parts import Named, parts
from exportdb_rules.rewrite.tree import children, dotted, statements, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator


class Definitions:
    """What a module defines at its top level, and what its names for parts of torch are."""

    def __init__(self, module: cst.Module) -> None:
        body = parts(module)
        self.classes = Named(body, cst.ClassDef)
        self.functions = Named(body, cst.FunctionDef)
        self.torch: dict[str, str] = {}
        # What the constructors say of each class that was asked for.
        self.submodules: dict[cst.ClassDef | None, Submodules] = {}
        for node in body.of(None):
            if isinstance(node, cst.SimpleStatementLine):
                for small in node.body:
                    self._learn(small)

    def _learn(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.ImportFrom) and node.module is not None and not isinstance(node.names, cst.ImportStar):
            source = dotted(node.module)
            if source == "torch" or source.startswith("torch."):
                for alias in node.names:
                    name = dotted(alias.name)
                    bound = dotted(alias.asname.name) if alias.asname is not None else name
                    self.torch[bound] = f"{source}.{name}"
        elif isinstance(node, cst.Import):
            for alias in node.names:
                if alias.asname is not None and dotted(alias.name).startswith("torch"):
                    self.torch[dotted(alias.asname.name)] = dotted(alias.name)


@once
def definitions(module: cst.Module) -> Definitions:
    """What a module defines; read once for all of its classes."""
    return Definitions(module)


class Submodules:
    """The modules that the `__init__` of a class assigns to attributes, each to one constructor call."""

    def __init__(self, module: cst.Module, owner: cst.ClassDef | None) -> None:
        self._module = module
        self._classes = definitions(module).classes
        self.calls: dict[str, cst.Call | None] = {}
        self.methods: dict[str, cst.FunctionDef] = {}
        # What each buffer is registered with.
        self.buffers: dict[str, cst.BaseExpression] = {}
        self._owner = owner
        if owner is not None:
            self._read(owner, set())

    def _read(self, owner: cst.ClassDef, seen: set[str]) -> None:
        seen.add(owner.name.value)
        for base in owner.bases:
            parent = self._classes.get(dotted(base.value))
            if parent is not None and parent.name.value not in seen:
                self._read(parent, seen)
        for function in statements(owner.body):
            if not isinstance(function, cst.FunctionDef):
                continue
            self.methods[function.name.value] = function
            if function.name.value == "__init__":
                self.buffers.update(_registered(function))
                for target, value in _assignments(function):
                    if target.startswith("self.") and target.count(".") == 1:
                        name = target.removeprefix("self.")
                        # Assigned twice (on two paths of the constructor): nothing is sure.
                        again = name in self.calls and self.calls[name] is not value
                        self.calls[name] = value if isinstance(value, cst.Call) and not again else None

    def alike(self, name: str) -> bool:
        """Whether all modules of a list of them, `self.<name>`, are made alike."""
        call = self.calls.get(name)
        if call is None or len(call.args) != 1:
            return False
        held = call.args[0].value
        if isinstance(held, (cst.ListComp, cst.GeneratorExp)):
            made: list[cst.BaseExpression] = [held.elt]
            bound = {name.value for name in targets(held.for_in.target)}
            if held.for_in.inner_for_in is not None or names(held.elt).reads & bound:
                return False
        elif isinstance(held, cst.List):
            made = [element.value for element in held.elements]
        else:
            return False
        codes = {self._module.code_for_node(one) for one in made}
        return len(codes) == 1 and all(isinstance(one, cst.Call) for one in made)


def submodules(module: cst.Module, owner: cst.ClassDef | None) -> Submodules:
    """What the constructor of a class says; read once for all rewrites of a text."""
    known = definitions(module).submodules
    if owner not in known:
        known[owner] = Submodules(module, owner)
    return known[owner]


def _registered(node: cst.CSTNode) -> dict[str, cst.BaseExpression]:
    """What `self.register_buffer("name", tensor)` registers in a piece of code, by name."""
    found: dict[str, cst.BaseExpression] = {}
    if isinstance(node, cst.Call) and dotted(node.func) == "self.register_buffer" and len(node.args) > 1:
        first = node.args[0].value
        if isinstance(first, cst.SimpleString):
            found[str(first.evaluated_value)] = node.args[1].value
    for child in children(node):
        found.update(_registered(child))
    return found


def _assignments(node: cst.CSTNode) -> Iterator[tuple[str, cst.BaseExpression]]:
    if isinstance(node, cst.Assign):
        for target in node.targets:
            yield from unpacked(target.target, node.value)
    elif isinstance(node, cst.AnnAssign):
        if node.value is not None:
            yield dotted(node.target), node.value
    else:
        for child in children(node):
            yield from _assignments(child)
