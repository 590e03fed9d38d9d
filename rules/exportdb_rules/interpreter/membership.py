"""`value in container`, and the hash of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from exportdb_rules.facts import Converted, TruthTested
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.interpreter.dispatch import call_method
from exportdb_rules.interpreter.formatting import ask_for_text
from exportdb_rules.interpreter.iteration import dimension
from exportdb_rules.interpreter.numpy_provenance import ask_kept
from exportdb_rules.lattice import Mapping, Sequence, choices
from exportdb_rules.values import (
    FALSE,
    STATIC_BOOL,
    TOP,
    TRUE,
    Class,
    Const,
    Evidence,
    Instance,
    Shape,
    Static,
    Sym,
    Tensor,
    Value,
    is_returned,
    is_unknown,
)

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable

    from exportdb_rules.interpreter.machine import Frame


def ask_for_hash(frame: Frame, node: ast.AST, value: Value, target: Literal["key", "cached"] = "key") -> None:
    """Hash a value, and what a tuple holds: a symbol has no hash in non-strict mode, nor has a shape that holds one."""
    for choice in choices(value):
        if type(choice) in (Tensor, Sym):
            frame.emit(Converted(frame.site(node), target, choice))  # type: ignore[arg-type]
            continue
        held: Iterable[Value] = ()
        if type(choice) is Sequence and choice.type in ("tuple", "generator"):
            held = choices(choice.any())
        elif type(choice) is Shape:
            held = [dimension(frame, choice.tensor, None)] if choice.tensor.dims is None else choice.tensor.dims
        symbol = next((item for item in held if type(item) is Sym), None)
        if symbol is not None:
            frame.emit(Converted(frame.site(node), target, symbol))


def contains(frame: Frame, node: ast.Compare, item: Value, container: Value, *, negated: bool) -> Value:
    """The answer of `in`, and the truth that it asks of tensors on the way."""
    yes, no = (FALSE, TRUE) if negated else (TRUE, FALSE)
    ask_kept(frame, node, "branch", container, *([item] if type(container) is Sequence else []))
    if is_returned(container):
        return STATIC_BOOL
    if type(container) is Tensor and not _no_number(item):
        # Tensor.__contains__ is (element == self).any().item()
        # Of a container that convention alone takes for a tensor, `in` says the contrary.
        unsure = Evidence.ASSUMED if container.param is not None else container.evidence
        untold = is_unknown(item) or (
            type(item) is Tensor and item.param is not None and item.evidence is Evidence.ASSUMED
        )
        evidence = unsure if untold else max(Evidence.DERIVED, container.evidence)
        tested = Tensor(dtype="bool", shape=("dims", ()), rank=0, evidence=evidence)
        frame.emit(TruthTested(frame.site(node), tested, "in", node))
        return Sym("bool", backed=False, site=frame.site(node), evidence=tested.evidence)
    if type(container) is Mapping:
        if container.items:  # what is empty at first is a cache, which gives what it was given
            ask_for_text(frame, node.left, item, "lookup")
        ask_for_hash(frame, node.left, item)
        if type(item) in (Tensor, Sym):
            return STATIC_BOOL
        if type(item) is Const and item.value in container.items:
            return yes
        # The keys that are known are constants, and none of them a class.
        return no if container.element is None and type(item) in (Const, Class) else STATIC_BOOL
    if type(container) is Sequence:
        if container.type == "set":
            ask_for_hash(frame, node.left, item)
        ask_for_text(frame, node, item, "lookup" if container.type == "set" else "text")
        members = container.items if container.items is not None else [container.any()]
        if type(item) is Const and all(type(m) is Const for m in members) and container.items is not None:
            return yes if any(m.value == item.value for m in members) else no  # type: ignore[attr-defined]
        for member in members:
            if member is item and type(item) is Tensor and container.items is not None:
                # Python asks whether it is the very object before it compares, strict export does not.
                frame.emit(TruthTested(frame.site(node), item, "in-itself", node))
                return yes
            for side in (item, member):
                other = member if side is item else item
                if type(side) is Tensor and type(other) in (Tensor, Const, Static, Sym) and not _no_number(other):
                    frame.emit(TruthTested(frame.site(node), side, "in", node))
                    return STATIC_BOOL
                if type(side) is Sym and not side.backed and not _no_number(other):
                    frame.emit(TruthTested(frame.site(node), side, "in", node))
                    return STATIC_BOOL
        if type(item) is Sym and item.backed and container.items is not None:
            return _among(frame, item, members)
        return TOP if item is TOP else STATIC_BOOL
    if type(container) is Instance and container.cls is not None:
        return call_method(frame, node, container, "__contains__", [item])
    if type(container) is Instance and type(container.elements) is Mapping:
        return contains(frame, node, item, container.elements, negated=negated)
    if (
        type(container) is Const
        and isinstance(container.value, str)
        and type(item) is Const
        and isinstance(item.value, str)
    ):
        return yes if item.value in container.value else no
    return STATIC_BOOL if type(container) in (Static, Const) else TOP


def _among(frame: Frame, size: Sym, members: list[Value]) -> Value:
    """A size that is looked for among numbers: it is compared with one after the other, up to the one that it is."""
    numbers = [term for member in members if (term := term_of(member)) is not None]
    if not numbers or len(numbers) < len(members) or size.term is None:
        return STATIC_BOOL
    seen = size.term.at(frame.run.dynamic.sizes)
    hit = next((term for term in numbers if seen is not None and term.at(frame.run.dynamic.sizes) == seen), None)
    return Sym("bool", backed=True, evidence=size.evidence, asked=None if hit is None else ("==", size.term, hit))


def _no_number(value: Value) -> bool:
    if type(value) is Static:
        return value.type == "str"
    return type(value) is Const and (value.value is None or isinstance(value.value, str))
