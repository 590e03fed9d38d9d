"""Numbers that Python and numpy draw: one alone, several at once, out of a container, or from a generator of one's own.

Tracing draws once. What was drawn is a `TraceTime` value, wherever it is kept: an element of a list, an array, what a
mask was filled from.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import NumberDrawn, TraceTimeUsed
from exportdb_rules.interpreter.environment import AttributePath
from exportdb_rules.interpreter.iteration import elements
from exportdb_rules.interpreter.library import models_beginning
from exportdb_rules.lattice import Sequence, choices, join_all
from exportdb_rules.values import (
    ARRAY,
    KEPT_ARRAY,
    NONE,
    STATIC,
    TOP,
    Const,
    Evidence,
    Instance,
    Static,
    Sym,
    TraceTime,
    Union,
    Value,
)

if TYPE_CHECKING:
    from exportdb_rules.interpreter.machine import Frame

# Classes and functions that give a generator -> what its draws are called by.
_GENERATORS: Final = {
    "random.Random": "random.Random",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "numpy.random.default_rng": "numpy.random.Generator",
}
_FLOATS: Final = frozenset({"random", "uniform", "gauss", "normalvariate", "betavariate", "normal", "rand", "randn"})
# `TraceTime.source` of what numpy draws behind a seed.
SEEDED: Final = "numpy.random.seed"
# What fills an array of the shape that it is given, as numpy's functions of those names do: strict export traces them.
_BY_SHAPE: Final = frozenset({"rand", "randn"})
_BY_SIZE: Final = {"uniform": 2, "normal": 2, "randint": 2, "random": 0, "random_sample": 0, "sample": 0}
_SIZED: Final = {**_BY_SIZE, "standard_normal": 0, "integers": 2, "choice": 1, "permutation": 0}
# What strict export traces of `numpy.random` besides: it gives no number. Of Python's functions it stops at these.
_WITHOUT_RESULT: Final = frozenset({"seed", "shuffle"})
_NOT_TRACED: Final = frozenset({"random", "uniform", "randint", "randrange", "triangular"})
# Levels of tuples, lists and slices in which a drawn number is looked for: `mask[0, start : start + 2]`.
_MAX_LEVELS: Final = 3


@models_beginning("random.", "numpy.random.")
def draw(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A call of a function of `random` or `numpy.random`, or of a method of a generator of theirs."""
    frame.emit_call(node, name, args, keywords)
    generator = _GENERATORS.get(name)
    if generator is not None:
        return _generator(frame, node, generator, args, keywords)
    short = name.rpartition(".")[2]
    if not frame.traced:
        return KEPT_ARRAY if _fills(name, short, args, keywords) else STATIC
    package = name.rpartition(".")[0]
    if short in ("seed", "setstate", "set_state"):
        if all(type(value) in (Const, Static) for value in args) and args:
            frame.env.narrow({AttributePath(package, "seed"): STATIC})
        return NONE
    if AttributePath(package, "seed") in frame.env.paths:
        # Each call draws the same; strict export draws numpy's numbers in the graph.
        if not package.startswith("numpy"):
            return STATIC
        name = SEEDED
    site = frame.site(node)
    if _stops_strict(package, short, args, keywords):
        frame.emit(NumberDrawn(site, f"{package}.{short}", kept=False))
    if short == "shuffle":
        return _shuffle(frame, node, TraceTime(name, "list", site), args)
    if name.startswith("random.") and short in ("choice", "sample", "choices"):
        return _chosen(frame, node, name, args)
    if short in ("choice", "permutation", "permuted", "multinomial", "dirichlet", "multivariate_normal"):
        one = short == "choice" and len(args) == 1 and not keywords
        return TraceTime(name, "" if one else "list", site)
    if _fills(name, short, args, keywords):
        return TraceTime(name, ARRAY, site)
    # What training mode draws itself is fixed where a model was not put into eval mode.
    evidence = Evidence.DERIVED if frame.training else Evidence.OBSERVED
    return TraceTime(name, "float" if short in _FLOATS else "int", site, evidence)


def _stops_strict(package: str, short: str, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether strict export stops at a draw itself. Measured on torch 2.13: of NumPy's functions it traces those that fill an
    array of a shape that they are given, if they are called `rand`, `randn` or one of those by size."""
    if package == "random":
        return short in _NOT_TRACED
    if package != "numpy.random" or short in _WITHOUT_RESULT:
        return False
    traced = short in _BY_SHAPE or short in _BY_SIZE
    return not traced or "dtype" in keywords or not _fills(f"{package}.{short}", short, args, keywords)


def _generator(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A generator of one's own. One that tracing makes and seeds draws the same numbers in every call."""
    result = Instance(None, name, identity=(name, id(node)))
    if frame.traced and (args or keywords):
        result.given["seed"] = args[0] if args else next(iter(keywords.values()))
    return result


def is_generator(value: Instance) -> bool:
    """Whether an object is a generator of Python's or numpy's."""
    return value.external in _GENERATORS.values()


def draw_from(frame: Frame, node: ast.AST, generator: Instance, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:  # fmt: skip
    """`generator.name(…)`."""
    result = draw(frame, node, f"{generator.external}.{name}", args, keywords)
    if frame.traced:
        frame.emit(NumberDrawn(frame.site(node), f"{generator.external}.{name}", kept=True))
    return STATIC if "seed" in generator.given else result


def _fills(name: str, short: str, args: list[Value], keywords: dict[str, Value]) -> bool:
    """Whether a function of numpy's draws a whole array, as it does if it is given a shape."""
    if not name.startswith("numpy."):
        return False
    if short in _BY_SHAPE:
        return bool(args)
    return "size" in keywords or len(args) > _SIZED.get(short, len(args))


def _is_no_object(value: Value) -> bool:
    return all(type(choice) in (Const, Static, Sym, TraceTime) for choice in choices(value))


def _chosen(frame: Frame, node: ast.AST, name: str, args: list[Value]) -> Value:
    """`random.choice(…)` and the functions that choose several elements."""
    drawn = TraceTime(name, "", frame.site(node))
    found = elements(frame, node, args[0]) if args else TOP
    element = join_all(found) if isinstance(found, list) else found
    if element is TOP:
        return TOP
    if not _is_no_object(element):
        # A layer, a function or a tensor: the one that tracing chose is in the graph.
        frame.emit(TraceTimeUsed(drawn.site or frame.site(node), drawn, "branch"))
        drawn = element
    return drawn if name.endswith(".choice") else Sequence("list", None, drawn, depth=frame.depth)


def _shuffle(frame: Frame, node: ast.AST, drawn: TraceTime, args: list[Value]) -> Value:
    """A list, or an array that a name holds, is put into an order that tracing draws."""
    for choice in choices(args[0]) if args else ():
        if type(choice) is Sequence and choice.type == "list":
            element = choice.any()
            if element is TOP:
                continue
            if _is_no_object(element):
                element = TraceTime(drawn.source, "", drawn.site)
            else:
                frame.emit(TraceTimeUsed(frame.site(node), drawn, "branch"))
            choice.widen(element)
            choice.element = element
        elif type(choice) is Static and isinstance(node, ast.Call) and node.args:
            fill(frame, node.args[0], TraceTime(drawn.source, ARRAY, drawn.site))
    return NONE


_MAY_BE_DRAWN: Final = frozenset({TraceTime, Union, Sequence})


def drawn_in(value: Value, levels: int = _MAX_LEVELS) -> TraceTime | None:
    """A value of tracing's that another one is, or has in it: an element of a list, a bound of a slice."""
    if type(value) not in _MAY_BE_DRAWN:  # nearly all operands of all calls
        return None
    if isinstance(value, TraceTime):
        return value
    if isinstance(value, Union):
        drawn = next((choice for choice in choices(value) if isinstance(choice, TraceTime)), None)
        if drawn is not None and drawn.type in (ARRAY, "list"):
            # An array that a loop may have written drawn numbers into.
            return drawn if _is_no_object(value) else None
        # Drawn on one path alone: `k = random.randint(1, 4) if k is None else k`.
        return drawn and TraceTime(drawn.source, drawn.type, drawn.site, min(Evidence.DERIVED, drawn.evidence))
    if not isinstance(value, Sequence) or not levels:
        return None
    parts = value.items if value.items is not None else [value.any()]
    return next((found for part in parts if (found := drawn_in(part, levels - 1)) is not None), None)


def use_drawn(frame: Frame, node: ast.AST, *values: Value) -> None:
    """Tell that the graph is made with values of tracing's, where these have some in them."""
    for value in values:
        drawn = drawn_in(value)
        if drawn is not None:
            frame.emit(TraceTimeUsed(frame.site(node), drawn, "tensor"))


def fill(frame: Frame, target: ast.expr, drawn: TraceTime) -> None:
    """An array was written to as tracing drew it: the name that holds it holds drawn numbers from now on."""
    if isinstance(target, ast.Name) and frame.traced:
        kind = ARRAY if drawn.type == ARRAY else "list"
        frame.env[target.id] = TraceTime(drawn.source, kind, drawn.site)
