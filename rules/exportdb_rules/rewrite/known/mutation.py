"""What a piece of code changes besides its own local names: tensors in place, attributes, the world."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.operator_table import operator
from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.known.liveness import definitely_assigned
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.known.signature import TensorSignature, leaves
from exportdb_rules.rewrite.tree import below, children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from exportdb_rules.rewrite.known.inference import Environment


@dataclass(slots=True)
class Effects:
    """`names`: locals whose object is changed in place. `other`: why the code cannot be moved, '' if it can."""

    names: set[str] = field(default_factory=set[str])
    unsupported: str = ""


def side_effects(block: Iterable[cst.CSTNode]) -> Effects:
    """What the statements change in place, inner functions left aside."""
    found = Effects()
    for node in block:
        _add(_of(node), found)
    return found


@once
def _of(node: cst.CSTNode) -> Effects:
    found = Effects()
    _visit_parts(node, found)
    return found


def _add(changed: Effects, found: Effects) -> None:
    found.names |= changed.names
    found.unsupported = changed.unsupported or found.unsupported


def is_pure(statement: cst.CSTNode) -> bool:
    """Whether a line changes nothing but the names that it binds: what is in it may be computed in another order."""
    changed = side_effects([statement])
    line = statement if isinstance(statement, cst.SimpleStatementLine) else cst.SimpleStatementLine([])
    targets = [target.target for small in line.body if isinstance(small, cst.Assign) for target in small.targets]
    bound = {target.value for target in targets if isinstance(target, cst.Name)}
    return not changed.unsupported and not changed.names - bound


def _visit(node: cst.CSTNode, found: Effects) -> None:
    if isinstance(node, (cst.BaseStatement, cst.BaseSmallStatement)):
        _add(_of(node), found)
    else:
        _visit_parts(node, found)


def _visit_parts(node: cst.CSTNode, found: Effects) -> None:
    if isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
        return
    if isinstance(node, cst.AugAssign):
        _changed(node.target, found)
    elif isinstance(node, (cst.Assign, cst.AnnAssign)):
        for target in [t.target for t in node.targets] if isinstance(node, cst.Assign) else [node.target]:
            _bound(target, found)
    elif isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) and not in_place(node.value):
        found.unsupported = "a call for its effect"
    elif isinstance(node, cst.Call):
        if registers(node):
            found.unsupported = "a call for its effect"
        if in_place(node):
            assert isinstance(node.func, cst.Attribute)
            _changed(node.func.value, found)
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == "out":
                _changed(arg.value, found)
            if arg.keyword is not None and arg.keyword.value == "inplace" and dotted(arg.value) == "True":
                found.unsupported = "an operation in place"
    for child in children(node):
        _visit(child, found)


def registers(node: cst.Call) -> bool:
    """Whether a call leaves something with an object, whatever becomes of its result: `module.register_forward_hook(f)`."""
    return isinstance(node.func, cst.Attribute) and node.func.attr.value.startswith("register_")


def in_place(node: cst.Call) -> bool:
    """Whether a call is of a method that changes its tensor in place: `x.add_(1)`."""
    if not isinstance(node.func, cst.Attribute):
        return False
    name = node.func.attr.value
    return name.endswith("_") and not name.endswith("__") and not name.startswith("_")


def _bound(target: cst.CSTNode, found: Effects) -> None:
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            _bound(element.value, found)
    elif isinstance(target, (cst.Attribute, cst.Subscript)):
        _changed(target, found)


def _changed(node: cst.CSTNode, found: Effects) -> None:
    """The object that an in-place operation on this expression reaches."""
    while isinstance(node, (cst.Subscript, cst.Call)):
        if isinstance(node, cst.Subscript):
            node = node.value
        elif isinstance(node.func, cst.Attribute):
            node = node.func.value
        else:
            break
    if isinstance(node, cst.Name):
        found.names.add(node.value)
    else:
        found.unsupported = f"an assignment to {dotted(node) or 'an object'}"


def is_unaliased(name: str, env: Environment, before: Sequence[cst.CSTNode]) -> bool:
    """Whether a local tensor's storage is its own when a statement begins: nobody else could see it change.

    `before` is everything that may have run in the function until then.
    """
    mine = env.get(name)
    if not isinstance(mine, TensorSignature) or not mine.storages or not all(r.startswith("#") for r in mine.storages):
        return False
    for other, signature in env.items():
        if other != name and any(
            isinstance(s, TensorSignature) and s.storages & mine.storages for s in leaves(signature)
        ):
            return False
    return not any(escapes(name, node) for node in before)


def changed_from_outside(block: Sequence[cst.CSTNode]) -> set[str]:
    """The names whose tensor a block changes in place while it is the one from outside: not where a line before has bound the
    name anew (`x = x.clone()`)."""
    found: set[str] = set()
    bound: set[str] = set()
    for statement in block:
        found |= side_effects([statement]).names - bound
        if isinstance(statement, cst.SimpleStatementLine):
            bound |= {n.value for a in below(statement, cst.Assign) for t in a.targets for n in targets(t.target)}
    return found


def escapes(name: str, node: cst.CSTNode) -> bool:
    """Whether the tensor of a name is put somewhere where it outlives the expression it stands in."""
    if isinstance(node, cst.Assign):
        stored = any(not isinstance(t.target, cst.Name) for t in node.targets)
        if stored and not _fresh(node.value) and _mentions(name, node.value):
            return True
    if isinstance(node, (cst.List, cst.Dict, cst.Set)) and _mentions(name, node):
        return True
    if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call) and _mentions(name, node.value):
        kept = [arg.value for arg in node.value.args if not _fresh(arg.value)]
        if not in_place(node.value) and any(_mentions(name, part) for part in (node.value.func, *kept)):
            return True
    if isinstance(node, (cst.Lambda, cst.FunctionDef)) and name not in {p.name.value for p in parameters(node)}:
        return _mentions(name, node)
    return any(escapes(name, child) for child in children(node))


def _mentions(name: str, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Name):
        return node.value == name
    return any(_mentions(name, child) for child in children(node))


@once
def passes_on(function: cst.FunctionDef) -> bool:
    """Whether a function may return what it was given, or what a name around it holds, and no tensor that it made."""
    block = statements(function.body)
    renamed = [t.target for a in below(function, cst.Assign) if _bare(a.value) for t in a.targets]
    kept = {n.value for target in renamed for n in targets(target)}
    # In place, it is the tensor that was there.
    kept |= {dotted(changed.target) for changed in below(function, cst.AugAssign)}
    made = definitely_assigned(block) - kept
    return any(node.value is not None and _bare(node.value) - made for node in below(function, cst.Return))


def _bare(node: cst.BaseExpression) -> set[str]:
    """The names of which an expression gives the very objects."""
    if isinstance(node, cst.Name):
        return {node.value}
    if isinstance(node, (cst.Tuple, cst.List)):
        return set[str]().union(*(_bare(element.value) for element in node.elements))
    return _bare(node.body) | _bare(node.orelse) if isinstance(node, cst.IfExp) else set()


def copy_is_observable(name: str, storages: frozenset[str], env: Environment, after: Sequence[cst.CSTNode]) -> bool:
    """Whether code that runs later would tell a copy from the tensor itself: it changes the one or the other in place.

    `name` held a tensor with these storages, and holds a copy now; `env` says what else has them.
    """
    shared = {name}
    for other, known in env.items():
        if any(isinstance(leaf, TensorSignature) and leaf.storages & storages for leaf in leaves(known)):
            shared.add(other)
    held = {storage for storage in storages if storage.startswith("self.")}
    # An item of a tensor is a copy of what it is given; one of a list is the thing itself.
    tensors = {name for name, known in env.items() if isinstance(known, TensorSignature)} - names(after).writes
    return any(_changes_shared(node, shared, held, tensors) for node in after)


def _changes_shared(node: cst.CSTNode, shared: set[str], held: set[str], tensors: set[str]) -> bool:
    """Whether a statement changes one of the names in place; `shared` is kept up to date."""
    if isinstance(node, cst.SimpleStatementLine):
        return any(_changes_shared(small, shared, held, tensors) for small in node.body)
    found = side_effects([node])
    if isinstance(node, cst.Assign):
        if found.names & shared or (found.unsupported and _writes(node, held)):
            return True
        passes = not _fresh(node.value) and _mentions_any(shared, node.value)
        for target in node.targets:
            if isinstance(target.target, cst.Name):
                (shared.add if passes else shared.discard)(target.target.value)
            elif passes:
                shared |= _kept_in(target.target, tensors)
        return False
    if isinstance(node, cst.BaseCompoundStatement):
        # What happens in it may happen in any order, and not at all: a name may come to share the storage, none loses it.
        grown = set(shared)
        while True:
            size = len(grown)
            _grow(node, grown, tensors)
            if len(grown) == size:
                break
        shared |= grown
    return bool(found.names & shared) or (bool(found.unsupported) and _writes(node, held))


def _kept_in(target: cst.CSTNode, tensors: set[str]) -> set[str]:
    """The names that hold, or are, what an assignment target is given."""
    if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name) and target.value.value in tensors:
        return set()
    found = names(target)
    return found.writes | found.reads


def _grow(node: cst.CSTNode, shared: set[str], tensors: set[str]) -> None:
    if isinstance(node, cst.Assign) and not _fresh(node.value) and _mentions_any(shared, node.value):
        for target in node.targets:
            shared |= _kept_in(target.target, tensors)
    elif isinstance(node, cst.For) and _mentions_any(shared, node.iter):
        shared |= names(node.target).reads
    for child in children(node):
        _grow(child, shared, tensors)


def _fresh(node: cst.BaseExpression) -> bool:
    """Whether an expression gives a tensor of its own."""
    if isinstance(node, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.Integer, cst.Float)):
        return True
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and operator(node.func.attr.value).fresh


def _mentions_any(wanted: set[str], node: cst.CSTNode) -> bool:
    return any(_mentions(name, node) for name in wanted)


def _writes(node: cst.CSTNode, held: set[str]) -> bool:
    """Whether one of the attributes is written in place somewhere in a piece of code."""
    if isinstance(node, cst.AugAssign) and _base(node.target) in held:
        return True
    if isinstance(node, cst.Assign) and any(
        isinstance(t.target, cst.Subscript) and _base(t.target) in held for t in node.targets
    ):
        return True
    if isinstance(node, cst.Call) and in_place(node) and _base(node.func) in held:
        return True
    return any(_writes(child, held) for child in children(node))


def _base(node: cst.CSTNode) -> str:
    """`self.b` of `self.b[0]`, `self.b.view(2).add_`."""
    while True:
        name = dotted(node)
        if name.count(".") == 1 and name.startswith("self."):
            return name
        if isinstance(node, (cst.Subscript, cst.Attribute)):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return ""
