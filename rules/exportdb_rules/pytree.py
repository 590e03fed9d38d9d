"""What pytree knows of a project's classes: export takes and returns what it can flatten, and nothing else.

Source: torch docs, `torch.utils._pytree.register_pytree_node`, `torch.export.register_dataclass`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from exportdb_rules.definitions import decorators

if TYPE_CHECKING:
    from exportdb_rules.project import ClassInfo, Module, Project

# pytree knows containers by their very type: what derives from one is not flattened.
CONTAINERS = frozenset({"builtins.dict", "builtins.list", "builtins.tuple", "collections.OrderedDict"})
# Bases that say nothing of pytree; any other base may have registered the class.
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"}) | CONTAINERS


def unregistered(project: Project, cls: ClassInfo, entry_module: Module) -> bool:
    """Whether nothing in sight tells pytree of a class."""
    if cls.is_module(project) or any(base not in _PLAIN_BASES for base in cls.external_bases(project)):
        return False
    if registers_subclasses(project, cls):
        return False
    for base in cls.mro(project):
        if isinstance(base, str):
            continue
        if base.node.keywords or "_fields" in base.assigns:
            return False
        if any(name.rpartition(".")[2] != "dataclass" for name in decorators(base.node)):
            return False
    return not any(registers(module.text, cls.node.name) for module in {cls.module.file, entry_module})


def registers_subclasses(project: Project, cls: ClassInfo) -> bool:
    """Whether a base of a class learns of all that derive from it, and may register them."""
    return any("__init_subclass__" in base.methods for base in cls.mro(project) if not isinstance(base, str))


def registers(text: str, name: str) -> bool:
    """Whether a text registers the class, or registers whatever a variable holds."""
    for argument in re.findall(r"register_\w*(?:dataclass|pytree|constant)\w*\(\s*([\w.]*)", text):
        last = argument.rpartition(".")[2]
        if last == name or last[:1].islower() or not last:
            return True
    return False
