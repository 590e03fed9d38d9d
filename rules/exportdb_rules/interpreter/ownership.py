"""Which modules and parameters no module of the exported one has registered, or has under a name that is taken.

`torch.nn.Module` registers what is assigned to its attributes, and what its containers hold. What stands in a Python list or
dict, or on an object that is no module, is found by `forward`, but not by `named_parameters()`.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import NameTaken, Unregistered
from exportdb_rules.interpreter.submodules import is_module
from exportdb_rules.interpreter.weights import has_weights
from exportdb_rules.lattice import Mapping, Sequence, choices, contained
from exportdb_rules.values import BUFFER, PARAMETER, Instance, Tensor

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from exportdb_rules.interpreter.machine import Frame
    from exportdb_rules.project import Project
    from exportdb_rules.values import Value

# How deep containers and objects inside each other are looked through for modules.
_DEEPEST: Final = 4
_MAY_HOLD: Final = frozenset({Instance, Mapping, Sequence})
# Packages whose classes are no modules, unless they are known for it: an object of none of another package is.
_NO_MODULES: Final = sys.stdlib_module_names | {"", "torch"}


class Ownership:
    """Where the exported module keeps the modules that its `forward` may call.

    `registered` are the keys of those that it has registered, `loose` those that it keeps otherwise, with the attribute, and
    whether there is another module in the same place, as far as is known.
    """

    __slots__ = ("_project", "_weights", "loose", "registered")

    def __init__(self, root: Instance, project: Project) -> None:
        self._project = project
        self.registered: set[Hashable] = {root.key()}
        self.loose: dict[Hashable, tuple[str, bool]] = {}
        self._weights: list[Tensor] = []
        self._walk(root)

    def _walk(self, module: Instance) -> None:
        held = [*module.attributes.items(), *([] if module.elements is None else [("", module.elements)])]
        for name, value in held:
            for choice in choices(value):
                if type(choice) is Instance and is_module(choice, self._project):
                    self._register(choice)
                elif type(choice) is Tensor:
                    self._weights.append(choice)
                elif value is module.elements:
                    for element in contained(choice):
                        for part in choices(element):
                            if type(part) is Instance:
                                self._register(part)
                elif not module.open:
                    for part, optional in self._inside(choice, _DEEPEST):
                        self.loose.setdefault(part.key(), (f"self.{name}", optional))

    def _register(self, module: Instance) -> None:
        if module.key() not in self.registered:
            self.registered.add(module.key())
            self._walk(module)

    def knows(self, module: Instance, levels: int = _DEEPEST) -> bool:
        """Whether a module is registered, or all that has weights in it: a block in a list, around layers of a `ModuleList`."""
        if module.key() in self.registered or not levels:
            return bool(levels)
        parts = [choice for held in held_by(module) for choice in choices(held)]
        own = [part for part in parts if type(part) is Instance and is_module(part, self._project)]
        # What it keeps in a list of its own is as loose as it is.
        own += [
            inner
            for part in parts
            if type(part) in _MAY_HOLD and part not in own
            for inner, _ in self._inside(part, levels)
        ]
        if module.cls is None and not own:
            return False
        weights = [part for part in parts if type(part) is Tensor and part.origin in (PARAMETER, BUFFER)]
        return all(any(weight is other for other in self._weights) for weight in weights) and all(
            self.knows(part, levels - 1) for part in own if part.cls is not None or has_weights(part)
        )

    def _inside(self, value: Value, levels: int) -> Iterator[tuple[Instance, bool]]:
        """The modules in a container of Python's, or on an object that is no module, and whether others may be there."""
        if not levels or (type(value) is Instance and value.external.partition(".")[0] not in _NO_MODULES):
            return  # it may be a module itself
        parts = list(value.attributes.values()) if type(value) is Instance else contained(value)
        for part in parts:
            for choice in choices(part):
                if type(choice) is Instance and is_module(choice, self._project):
                    yield choice, len(choices(part)) > 1
                elif type(choice) in _MAY_HOLD:
                    yield from self._inside(choice, levels - 1)


def held_by(module: Instance) -> tuple[Value, ...]:
    """What stands under the attributes of a module, or in it."""
    return (*module.attributes.values(), *(() if module.elements is None else contained(module.elements)))


def note_unregistered(frame: Frame, node: ast.AST, module: Instance) -> None:
    """Emit a fact where traced code calls a module that the exported one keeps, but has not registered."""
    run = frame.run
    if run.root is None or module.maker is not None:
        return
    if run.ownership is None:
        run.ownership = Ownership(run.root, run.project)
    if run.ownership.knows(module):
        return
    name, optional = run.ownership.loose.get(module.key()) or (_global_name(frame, node, module), False)
    if name is not None:
        frame.emit(Unregistered(frame.site(node), name, module, optional))


def _global_name(frame: Frame, node: ast.AST, module: Instance) -> str | None:
    """The variable of the file that is called, if that holds the module."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    name = node.func.id
    value = frame.run.module_value(frame.module, name)
    if value is None or frame.lookup(name) is not value:
        return None
    return name if any(type(held) is Instance and held.key() == module.key() for held in choices(value)) else None


# Attributes of `torch.fx.GraphModule`, in which an exported program puts the weights of the model (measured: no other name of it
# that `nn.Module` does not have is in the way).
_OF_GRAPH_MODULE: Final = frozenset(
    "add_submodule code delete_all_unused_submodules delete_submodule graph meta print_readable recompile to_folder".split()
)


def note_taken_name(frame: Frame, node: ast.AST, owner: Instance, name: str, value: Value) -> None:
    """Emit a fact where traced code reads a weight of the exported model whose name GraphModule has itself."""
    if name not in _OF_GRAPH_MODULE or owner is not frame.run.root:
        return
    is_module = type(value) is Instance and has_weights(value)
    if is_module or (type(value) is Tensor and value.origin in (PARAMETER, BUFFER)):
        frame.emit(NameTaken(frame.site(node), is_module))


def note_parameter_as_buffer(frame: Frame, node: ast.AST, owner: Instance, name: str) -> None:
    """Emit a fact where traced code reads a buffer that is a parameter."""
    if name in owner.parameters_as_buffers:
        frame.emit(Unregistered(frame.site(node), f"self.{name}", None, as_buffer=True))


def note_loose_parameters(frame: Frame, node: ast.AST, owner: Instance, name: str, value: Value) -> None:
    """Emit a fact where traced code reads a Python container of parameters, none of which its module has registered."""
    if not _holds_parameters(value) or owner.open:
        return
    others = [choice for held in owner.attributes.values() for choice in choices(held)]
    if any(_is_parameter(other) or (type(other) is Instance and _holds_parameters(other.elements)) for other in others):
        return  # it may be one of these
    parts = [choice for part in contained(value) for choice in choices(part)]
    if all(any(part is other for other in _registered_in(owner, _DEEPEST)) for part in parts):
        return  # the layers that are given them register them
    frame.emit(Unregistered(frame.site(node), f"self.{name}", None))


def _registered_in(module: Instance, levels: int) -> Iterator[Value]:
    """What stands under the attributes of a module, and of those in it."""
    for held in held_by(module):
        for choice in choices(held):
            yield choice
            if levels and type(choice) is Instance and choice is not module:
                yield from _registered_in(choice, levels - 1)


def _holds_parameters(value: Value | None) -> bool:
    return value is not None and any(_is_parameter(choice) for part in contained(value) for choice in choices(part))


def _is_parameter(value: Value) -> bool:
    return type(value) is Tensor and value.origin == PARAMETER
