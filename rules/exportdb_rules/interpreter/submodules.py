"""The modules that a module holds: which, in which order, and how others come to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from exportdb_rules.lattice import Mapping, Sequence, choices, join_all
from exportdb_rules.values import STATIC_STR, TOP, Const, Instance, Value

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import AnalysisState, Frame
    from exportdb_rules.project import Project

SEQUENTIAL: Final = "torch.nn.Sequential"
# The layers of torch that hold others.
_WITH_PARTS: Final = ("Transformer", "MultiheadAttention", "AdaptiveLogSoftmax", "Sequential", "Module", "DataParallel")


def is_module(value: Instance, project: Project) -> bool:
    """Whether an object is a module."""
    return value.external.startswith("torch.nn.") if value.cls is None else value.cls.is_module(project)


def _settle(run: AnalysisState, module: Instance) -> None:
    """Make the calls that may put a module on another one, or take it away.

    None that waits makes a module on its way: the only new one is its result, or it puts another in the place of one.
    """
    waiting = run.waiting
    for name in [*waiting.by_name]:
        held = choices(module.attributes.get(name, TOP))
        if waiting.gives_module(module, name) or any(
            type(one) is Instance and is_module(one, run.project) for one in held
        ):
            waiting.settle(module, name)


def children(run: AnalysisState, module: Instance) -> dict[str, Value] | None:
    """The modules that a module holds, by name, in the order in which they were made; None where they are not known."""
    _settle(run, module)
    waiting = run.waiting
    elements = module.elements
    if type(elements) is Mapping:
        return None if elements.element is not None else {**elements.items}
    if type(elements) is Sequence:
        names = {id(value): name for name, value in module.attributes.items()}
        items = elements.items
        return None if items is None else {names.get(id(one), str(at)): one for at, one in enumerate(items)}
    if (
        module.cls is None
        or module.open
        or any(base.startswith("?") for base in module.cls.external_bases(run.project))
    ):
        return None
    held: dict[str, Instance] = {}
    for name, value in module.attributes.items():
        modules = [one for one in choices(value) if type(one) is Instance and is_module(one, run.project)]
        if modules and modules[0] is not value:
            return None  # or something else
        if modules:
            held[name] = modules[0]
    names = sorted(held, key=lambda name: waiting.born(held[name]))
    return {name: held[name] for name in names}


def listed(run: AnalysisState, module: Instance, *, named: bool) -> Value:
    """`children()` and `named_children()`."""
    found = children(run, module)
    if found is None:
        return TOP
    pairs: list[Value] = [Sequence("tuple", [Const(name), one]) for name, one in found.items()]
    return Sequence("generator", pairs if named else [*found.values()])


def every(run: AnalysisState, module: Instance, *, named: bool) -> Value:
    """`modules()` and `named_modules()`: the module itself and all below it, each once. The layers of torch are joined into one
    value: a loop over a few is followed one by one, and none of them keeps anything."""
    found: dict[int, tuple[str, Instance]] = {}
    waiting = [("", module)]
    while waiting:
        name, one = waiting.pop()
        if id(one) in found:
            continue
        found[id(one)] = name, one
        parts = _parts(run, one)
        if parts is None:
            return TOP
        waiting += reversed([(f"{name}.{key}" if name else key, part) for key, part in parts])
    layers = [one for _, one in found.values() if one.cls is None]
    pairs: list[tuple[Value, Value]] = [(Const(name), one) for name, one in found.values() if one.cls is not None]
    if layers:
        pairs.append((STATIC_STR, join_all(layers)))
    return Sequence("generator", [Sequence("tuple", [*pair]) if named else pair[1] for pair in pairs])


def _parts(run: AnalysisState, module: Instance) -> list[tuple[str, Instance]] | None:
    """The modules that one holds, by name; those of a list of unknown length are one for all that are alike."""
    held = {} if _is_leaf(module) else children(run, module)
    if held is None and type(module.elements) is Sequence:
        held = {str(at): one for at, one in enumerate(choices(module.elements.any()))}
    parts = [(name, part) for name, part in (held or {}).items() if type(part) is Instance]
    return parts if held is not None and len(parts) == len(held) else None


def _is_leaf(module: Instance) -> bool:
    """Whether a module is a layer of torch that holds no others."""
    return (
        module.cls is None
        and module.elements is None
        and not module.external.removeprefix("torch.nn.").startswith(_WITH_PARTS)
    )


def put(frame: Frame, module: Instance, value: Value) -> None:
    """A list of modules is given another one at its end, by whatever name."""
    if type(module.elements) is Sequence:
        module.elements.add(value, frame.depth)


def insert(frame: Frame, elements: Sequence, place: Value, value: Value) -> None:
    """`insert(place, value)`."""
    known = elements.items is not None and frame.depth <= elements.depth
    if known and elements.items is not None and type(place) is Const and type(place.value) is int:
        elements.items.insert(place.value, value)
    else:
        elements.widen(value)


def extend(frame: Frame, elements: Sequence, others: Value) -> None:
    """`extend(others)`."""
    if type(others) is Sequence and others.items is not None:
        for value in others.items:
            elements.add(value, frame.depth)
    else:
        elements.widen(others.any() if type(others) is Sequence else TOP)
