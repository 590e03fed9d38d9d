"""Generators of torch's random numbers, and what `generator=` asks of an operator that draws from one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from exportdb_rules.facts import Converted, SizeGiven
from exportdb_rules.lattice import Sequence, choices
from exportdb_rules.values import Instance, Shape, Sym, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame

GENERATOR: Final = "torch.Generator"
# Constructors whose overload with `generator=`, be it None, takes no symbolic sizes, and reads bounds as plain numbers, as that
# of `randperm` does (measured with torch 2.13).
_BY_PLAIN_SIZES: Final = frozenset({"torch.rand", "torch.randn", "torch.randint"})


def made(frame: Frame, node: ast.AST) -> Instance:
    """`torch.Generator()`."""
    frame.emit_call(node, GENERATOR, [])
    return Instance(None, GENERATOR, identity=(GENERATOR, id(node)))


def check_generator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> None:
    """An operator is given `generator=`: strict export takes no generator, and some constructors no symbolic sizes then."""
    if "generator" not in keywords:
        return
    if any(type(c) is Instance and c.external == GENERATOR for c in choices(keywords["generator"])):
        frame.emit_call(node, "generator=", args, keywords)
    bounds, sizes = _places(name, args, keywords)
    asked: list[tuple[list[Sym], Literal["generator", "bound"]]] = [
        (_symbols(sizes), "generator"),
        (_symbols(bounds), "bound"),
    ]
    for found, target in asked:
        for size in found[:1]:
            if size.backed:
                frame.emit(Converted(frame.site(node), target, size))
            else:
                frame.emit(
                    SizeGiven(frame.site(node), name, "size" if target == "generator" else "high", size, "plain")
                )


def _places(name: str, args: list[Value], keywords: dict[str, Value]) -> tuple[list[Value], list[Value]]:
    """The numbers that an operator reads under `generator=`, and the sizes that it takes as plain ints then."""
    if name == "torch.randperm":
        return [*args, *_named(keywords, "n")], []
    if name not in _BY_PLAIN_SIZES:
        return [], []
    if name == "torch.randint":
        sizes = [value for value in args if type(value) in (Sequence, Shape)]
        bounds = [value for value in args if type(value) not in (Sequence, Shape)]
        return [*bounds, *_named(keywords, "low", "high")], [*sizes, *_named(keywords, "size")]
    return [], [*args, *_named(keywords, "size")]


def _named(keywords: dict[str, Value], *names: str) -> list[Value]:
    return [keywords[name] for name in names if name in keywords]


def _symbols(values: list[Value]) -> list[Sym]:
    """The symbols among sizes, one by one or in a list."""
    found: list[Sym] = []
    for value in values:
        for choice in choices(value):
            if type(choice) is Sym:
                found.append(choice)
            elif type(choice) is Sequence:
                found += _symbols(choice.items if choice.items is not None else [choice.any()])
            elif type(choice) is Shape and choice.tensor.dims is not None:
                found += _symbols([*choice.tensor.dims])
    return found
