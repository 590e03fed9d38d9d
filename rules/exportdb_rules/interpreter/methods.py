"""Methods of values that are no objects of the project: containers, strings, shapes, library modules."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, cast

from exportdb_rules.facts import ContainerWritten, Converted, NumpyAsked
from exportdb_rules.interpreter.builtin import look_for, sort_tested
from exportdb_rules.interpreter.dispatch import call_bound, call_method, calls, methods_of
from exportdb_rules.interpreter.distributions import call_distribution_method, is_distribution
from exportdb_rules.interpreter.formatting import ask_for_text, format_fields, printed_form, text_of
from exportdb_rules.interpreter.generators import GENERATOR
from exportdb_rules.interpreter.iteration import dimension
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.modules import call_module_method, mapping_view
from exportdb_rules.interpreter.numpy_provenance import ask_kept, is_kept
from exportdb_rules.interpreter.random_numbers import draw_from, is_generator
from exportdb_rules.lattice import Mapping, Sequence, is_none, join, join_all
from exportdb_rules.values import (
    KEPT,
    KEPT_ARRAY,
    KEPT_FLOAT,
    NONE,
    NUMPY,
    NUMPY_ELEMENT,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TOP,
    Const,
    Instance,
    Method,
    Shape,
    Static,
    Sym,
    Union,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.interpreter.machine import Frame

# Methods of lists, sets and dicts that put something in, and that take something out or move it.
_GROWING = frozenset({"append", "add", "insert", "extend", "update", "setdefault", "appendleft"})
_SHRINKING = frozenset({"pop", "clear", "remove", "popitem", "discard", "popleft", "sort", "reverse"})
# The stack of contexts that a function enters one by one.
EXIT_STACK: Final = "contextlib.ExitStack"


def entered_by(frame: Frame, node: ast.AST, manager: Value) -> Value:
    """What `with manager as …` binds."""
    if type(manager) is Instance and manager.cls is not None:
        return call_method(frame, node, manager, "__enter__", [])
    if type(manager) is Instance and manager.external == EXIT_STACK:
        return manager
    # Of a function under `@contextmanager`: what it yields.
    return manager.any() if type(manager) is Sequence and manager.type == "generator" else TOP


@calls(Method)
def _call_method(frame: Frame, node: ast.AST, callee: Method, args: list[Value], keywords: dict[str, Value]) -> Value:
    return call_bound(frame, node, callee.receiver, callee.name, args, keywords)


@methods_of(Instance)
def _of_object(
    frame: Frame, node: ast.AST, receiver: Instance, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if receiver.state or receiver.external.startswith("torch.nn."):
        return call_module_method(frame, node, receiver, name, args, keywords)
    if is_generator(receiver):
        return draw_from(frame, node, receiver, name, args, keywords)
    if is_distribution(receiver):
        return call_distribution_method(frame, node, receiver, name, args, keywords)
    frame.emit_call(node, f"{receiver.external}.{name}", args, keywords)
    if receiver.external == EXIT_STACK and name == "enter_context" and args:
        return entered_by(frame, node, args[0])
    if receiver.external == GENERATOR:
        return receiver if name == "manual_seed" else STATIC
    return TOP


@methods_of(Shape)
def _of_shape(
    frame: Frame, node: ast.AST, receiver: Shape, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if name == "numel":
        size = dimension(frame, receiver.tensor, 0 if receiver.tensor.unbacked else None)
        _ask_for_all(frame, node, [size] if receiver.tensor.dims is None else receiver.tensor.dims)
        return size if type(size) is Sym else STATIC_INT
    if name in ("index", "count") and args:
        look_for(frame, node, receiver.tensor.dims or (), args[0], every=name == "count")
    return STATIC_INT if name in ("index", "count") else TOP


def _ask_for_all(frame: Frame, node: ast.AST, sizes: Iterable[Value]) -> None:
    """`torch.Size.numel`, which is written in C++ and multiplies plain numbers."""
    for size in sizes:
        if type(size) is Sym and size.backed:
            frame.emit(Converted(frame.site(node), "numel", size))


@methods_of(Union)
def _of_each(
    frame: Frame, node: ast.AST, receiver: Union, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    return join_all([call_bound(frame, node, c, name, args, keywords) for c in receiver.choices if not is_none(c)])


# Methods of an array or number of NumPy's that give such, which strict export traces as tensors.
_OF_NUMPY: Final = frozenset({"astype", "any", "all", "cumsum", "copy", "reshape"})
_REDUCTIONS: Final = frozenset({"sum", "prod", "max", "min", "mean"})


@methods_of(Static)
def _of_static(
    frame: Frame, node: ast.AST, receiver: Static, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if is_kept(receiver):
        ask_kept(frame, node, "use", receiver)
        if frame.traced or name in ("item", "tolist"):
            return KEPT_FLOAT if frame.traced and name == "item" else STATIC
        return KEPT_ARRAY if receiver is KEPT_ARRAY and name in ("astype", "copy", "reshape", "transpose") else KEPT
    if receiver is NUMPY and name == "item":
        frame.emit(NumpyAsked(frame.site(node), name))
    if receiver is NUMPY and name in _REDUCTIONS:
        return NUMPY_ELEMENT
    return NUMPY if receiver is NUMPY and name in _OF_NUMPY else STATIC


@methods_of(Sym)
def _of_symbol(
    frame: Frame, node: ast.AST, receiver: Sym, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if name == "is_integer":
        return Sym("bool", backed=receiver.backed, site=receiver.site, evidence=receiver.evidence)
    if name == "bit_length":
        frame.emit(Converted(frame.site(node), "bits", receiver))
        return STATIC_INT
    return TOP


# Methods of a text that tell, or give a part of it.
_OF_TEXT: Final = frozenset(
    {"startswith", "endswith", "isdigit", "isalpha", "isidentifier", "isupper", "islower", "lower", "upper", "strip", "lstrip",
     "rstrip", "removeprefix", "removesuffix", "replace", "split", "rsplit", "partition", "rpartition", "count", "find", "index",
     "title", "capitalize"}
)  # fmt: skip


def _constant(value: object) -> Value:
    if isinstance(value, (list, tuple)):
        return Sequence("list", [Const(part) for part in cast("list[object]", value)])
    return Const(value)


@methods_of(Const)
def _of_string(
    frame: Frame, node: ast.AST, receiver: Const, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if isinstance(receiver.value, float) and name == "is_integer":
        return Const(receiver.value.is_integer())
    if not isinstance(receiver.value, (str, bytes)):
        return TOP
    if name == "format":
        format_fields(frame, node, receiver, args, keywords)
        return text_of([STATIC_STR, *map(printed_form, [*args, *keywords.values()])])
    known = [a.value for a in args if type(a) is Const]
    if name in _OF_TEXT and len(known) == len(args) and not keywords:
        try:
            return _constant(getattr(receiver.value, name)(*known))
        except (TypeError, ValueError):
            return TOP
    if name.startswith(("is", "starts", "ends")):
        return STATIC_BOOL
    if name in ("split", "rsplit", "splitlines", "partition"):
        return Sequence("list", None, STATIC_STR)
    return STATIC_INT if name in ("find", "count", "index") else STATIC_STR


@methods_of(Sequence)
def _of_sequence(
    frame: Frame, node: ast.AST, receiver: Sequence, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    if (name in _GROWING or name in _SHRINKING) and receiver.owner is not None:
        value = args[-1] if args else NONE
        frame.emit(ContainerWritten(frame.site(node), receiver, receiver.owner, name, value))
    if name in ("append", "add", "appendleft") and args:
        receiver.add(args[0], frame.depth)
        return NONE
    if name in ("extend", "update") and args:
        given = args[0]
        if type(given) is Sequence and given.items is not None and frame.depth <= receiver.depth:
            for item in given.items:
                receiver.add(item, frame.depth)
        else:
            receiver.widen(given.any() if type(given) is Sequence else TOP)
        return NONE
    if name == "insert" and len(args) == 2:
        receiver.widen(args[1])
        return NONE
    if name in ("pop", "popleft"):
        value = receiver.any()
        if receiver.items and not frame.depth and len(args) <= 1:
            index = args[0].value if args and type(args[0]) is Const else (0 if name == "popleft" else -1)
            if isinstance(index, int) and -len(receiver.items) <= index < len(receiver.items):
                return receiver.items.pop(index)
        elif receiver.items is not None:
            receiver.widen(value)
        return value
    if name in ("sort", "reverse", "clear", "remove", "discard"):
        if receiver.items is not None and name != "clear":
            receiver.widen(receiver.any())
        elif name == "clear" and frame.depth <= receiver.depth:
            receiver.items, receiver.element = [], None
        if name == "sort":
            sort_tested(frame, node, receiver.any(), keywords.get("key"), "sort")
        return NONE
    if name == "copy":
        return Sequence(receiver.type, None if receiver.items is None else list(receiver.items), receiver.element)
    if name in ("index", "count"):
        if args:
            items = receiver.items if receiver.items is not None else [receiver.any()]
            look_for(frame, node, items, args[0], every=name == "count")
        return STATIC_INT
    if name in ("union", "intersection", "difference", "symmetric_difference"):
        return Sequence("set", None, receiver.any())
    if name == "numel":  # of a `torch.Size`
        _ask_for_all(frame, node, [receiver.any()] if receiver.items is None else receiver.items)
        return STATIC_INT
    if name == "__len__":
        return STATIC_INT
    return TOP


@methods_of(Mapping)
def _of_mapping(
    frame: Frame, node: ast.AST, receiver: Mapping, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    first = args[0] if args else TOP
    present = name == "setdefault" and type(first) is Const and first.value in receiver.items
    if (name in _GROWING or name in _SHRINKING) and receiver.owner is not None and not present:
        frame.emit(ContainerWritten(frame.site(node), receiver, receiver.owner, name, args[-1] if args else NONE))
    if name in ("keys", "values", "items"):
        return mapping_view(receiver, name)
    if name in ("get", "pop", "setdefault"):
        key = args[0] if args else TOP
        ask_for_hash(frame, node, key)
        if receiver.items:
            ask_for_text(frame, node, key, "lookup")
        default = args[1] if len(args) > 1 else keywords.get("default", NONE)
        if type(key) is Const:
            try:
                found = receiver.items.get(key.value)
            except TypeError:
                return TOP
            if found is not None:
                if name == "pop" and not frame.depth:
                    del receiver.items[key.value]
                return found
            if name == "setdefault":
                receiver.put(key.value, default)
            if type(receiver.element) is Static and type(default) is Const:
                return receiver.element.by_default(default.value)  # `kwargs.get("check", False)`
            return default if receiver.element is None else join(receiver.element, default)
        return join(receiver.any(), default) if receiver.items or receiver.element is not None else default
    if name == "update":
        for given in args:
            if type(given) is Mapping:
                receiver.take(given)
            else:
                receiver.element = TOP
        for key_name, value in keywords.items():
            receiver.put(key_name, value)
        return NONE
    if name == "copy":
        return Mapping(dict(receiver.items), receiver.element)
    if name == "clear":
        receiver.items.clear()
        return NONE
    return TOP
