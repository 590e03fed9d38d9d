"""Python's builtins that ask an object about itself: its class, its attributes, its address, its printed form."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted, NumpyAsked
from exportdb_rules.interpreter.attributes import (
    AUTOGRAD_FUNCTION,
    class_of_tensor,
    note_read,
    write_attribute,
    write_plainly,
)
from exportdb_rules.interpreter.dispatch import read_attribute
from exportdb_rules.interpreter.formatting import ask_for_text, printed_form
from exportdb_rules.interpreter.membership import ask_for_hash
from exportdb_rules.interpreter.narrowing import class_names, is_instance
from exportdb_rules.lattice import Mapping, Sequence, choices, join_all
from exportdb_rules.project import ClassInfo
from exportdb_rules.torch_api import lookup
from exportdb_rules.values import (
    FALSE,
    NONE,
    NUMPY,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TOP,
    TRUE,
    Class,
    Const,
    External,
    Function,
    Instance,
    Method,
    ModuleRef,
    Shape,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Value,
    is_returned,
)

# Attributes that one computed name may mean.
MAX_NAMES = 8

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_rules.interpreter.machine import Frame

    Builtin = Callable[[Frame, ast.AST, list[Value], dict[str, Value]], Value]


def _isinstance(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) != 2:
        return STATIC_BOOL
    answers: set[bool | None] = set()
    for choice in choices(args[0]):
        if (
            type(choice) is Sym
            and frame.raised is not None
            and class_names(args[1])
            and _asks_for_number(args[1], choice)
        ):
            frame.emit(Converted(frame.site(frame.raised), "guard", choice))
        elif type(choice) is Sym and choice.backed and _asks_for_number(args[1], choice):
            frame.emit(Converted(frame.site(node), "isinstance", choice))
        answers.add(is_instance(frame, choice, args[1]))
    answer = answers.pop() if len(answers) == 1 else None
    return STATIC_BOOL if answer is None else (TRUE if answer else FALSE)


# The classes that a symbol of a type (`number`: an int or a float) passes for in eager, and its own while tracing.
_NUMBERS: Final = {
    "number": (frozenset({"builtins.int", "builtins.float"}), "torch.SymInt"),
    "int": (frozenset({"builtins.int"}), "torch.SymInt"),
    "float": (frozenset({"builtins.float"}), "torch.SymFloat"),
    "bool": (frozenset({"builtins.bool", "builtins.int"}), "torch.SymBool"),
}


def _asks_for_number(classes: Value, symbol: Sym) -> bool:
    """Whether a number that is symbolic while tracing and a plain one in eager give different answers."""
    names = class_names(classes)
    numbers, own = _NUMBERS.get(symbol.type, _NUMBERS["number"])
    return not names or (own not in names and bool(names & numbers))


def _hasattr(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) == 2 and type(args[1]) is Const:
        owner, name = args[0], str(args[1].value)
        if is_returned(owner):
            return STATIC_BOOL
        if type(owner) is Tensor:
            found = read_attribute(frame, node, owner, name)
            return TRUE if type(found) is not Method or lookup(f"Tensor.{name}") is not None else STATIC_BOOL
        if type(owner) is ModuleRef and read_attribute(frame, node, owner, name) is not TOP:
            return TRUE
        if type(owner) in (Class, Function) and name in ("__name__", "__qualname__"):
            return TRUE
        if type(owner) is Instance:
            frame.run.waiting.settle(owner, name)
            note_read(frame, owner, name)
            if name in owner.attributes or (
                owner.cls is not None and owner.cls.find(name, frame.run.project) is not None
            ):
                return TRUE
            closed = owner.cls is not None and not any(
                b.startswith("?") for b in owner.cls.external_bases(frame.run.project)
            )
            return (
                FALSE if closed and not owner.open and not name.startswith("_") and not frame.run.heap else STATIC_BOOL
            )
        if type(owner) is Class and AUTOGRAD_FUNCTION in owner.info.external_bases(frame.run.project):
            frame.emit_call(node, f"{AUTOGRAD_FUNCTION}.__getattribute__")
        if type(owner) is External and (
            owner.name in ("torch", "torch._dynamo", "torch.compiler") or lookup(f"{owner.name}.{name}") is not None
        ):
            return TRUE
    if len(args) == 2:
        ask_for_text(frame, node, args[1], "attribute")
    return STATIC_BOOL


def _getattr(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) >= 2 and type(args[1]) is Const and isinstance(args[1].value, str):
        owner, name = args[0], args[1].value
        if type(owner) is Instance and len(args) == 3:
            frame.run.waiting.settle(owner, name)
            if name in owner.attributes or (
                owner.cls is not None and owner.cls.find(name, frame.run.project) is not None
            ):
                return read_attribute(frame, node, owner, name)
            if _hasattr(frame, node, args[:2], {}) is FALSE:
                return args[2]
            found = read_attribute(frame, node, owner, name)
            return TOP if found is TOP else join_all([found, args[2]])
        if type(owner) is Static:
            if len(args) > 2 and type(args[2]) is Const:
                return STATIC.by_default(args[2].value)
            return STATIC if len(args) < 3 or type(args[2]) is Static else TOP
        return read_attribute(frame, node, owner, name)
    if len(args) >= 2:
        ask_for_text(frame, node, args[1], "name" if len(args) == 2 else "attribute")  # tracing takes the default
        names = _names_like(frame, args[0], args[1])
        return join_all([read_attribute(frame, node, args[0], name) for name in names]) if names else TOP
    return TOP


def _names_like(frame: Frame, owner: Value, name: Value) -> list[str]:
    """What an object has under a name of which only the beginning and the end are known."""
    if type(name) is not Static or name.around is None:
        return []
    begin, end = name.around
    known: list[str] = []
    if type(owner) is Instance:
        known += owner.attributes
        if owner.cls is not None:
            known += [
                m for base in owner.cls.mro(frame.run.project) if isinstance(base, ClassInfo) for m in base.methods
            ]
    elif type(owner) is ModuleRef:
        known += owner.module.scope
    found = [
        n for n in dict.fromkeys(known) if n.startswith(begin) and n.endswith(end) and len(n) >= len(begin) + len(end)
    ]
    return found if len(found) <= MAX_NAMES else []


def _setattr(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    if len(args) == 3 and type(args[1]) is Const and isinstance(args[1].value, str):
        write_attribute(frame, node, args[0], args[1].value, args[2], augmented=False)
    elif len(args) == 3 and (names := _names_like(frame, args[0], args[1])):
        frame.depth += 1  # each of them may be the one that is written
        for name in names:
            write_attribute(frame, node, args[0], name, args[2], augmented=False)
        frame.depth -= 1
    elif args:
        for choice in choices(args[0]):
            if type(choice) is Instance:
                choice.open = True
    return NONE


def _set_plainly(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`object.__setattr__`."""
    if len(args) == 3 and type(args[1]) is Const and isinstance(args[1].value, str):
        write_plainly(frame, node, args[0], args[1].value, args[2])
        return NONE
    return _setattr(frame, node, args, keywords)


def _identity(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    return TraceTime("id", "int", frame.site(node)) if frame.traced else STATIC_INT


def _hash(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    hashed = args[0] if args else STATIC_INT
    if any(type(choice) is Tensor for choice in choices(hashed)):
        return TraceTime("hash", "int", frame.site(node)) if frame.traced else STATIC_INT
    ask_for_hash(frame, node, hashed)
    return STATIC_INT


def _str(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    for choice in choices(args[0]) if args else ():
        if type(choice) is Sym:
            frame.emit(Converted(frame.site(node), "format" if choice.backed else "printed", choice))
        elif type(choice) is Tensor and frame.traced:
            if not choice.constant:
                asked = node.args[0] if isinstance(node, ast.Call) and node.args else node
                frame.emit(Converted(frame.site(asked), "repr", choice))
            return TraceTime("str", "str", frame.site(node))
        elif choice is NUMPY:
            frame.emit(NumpyAsked(frame.site(node), "format"))
    return printed_form(args[0]) if args else STATIC_STR


def _type(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    value = args[0] if args else TOP
    if type(value) is Instance:
        return Class(value.cls) if value.cls is not None else External(value.external)
    return class_of_tensor(frame, node, value) if type(value) is Tensor and not is_returned(value) else STATIC


def _issubclass(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    asked = args[0] if args else TOP
    if len(args) != 2 or not isinstance(asked, (Class, External)):
        return STATIC_BOOL
    example = Instance(asked.info) if isinstance(asked, Class) else Instance(None, asked.name)
    answer = is_instance(frame, example, args[1])
    return STATIC_BOOL if answer is None else TRUE if answer else FALSE


def _callable(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    kinds = {type(c) in (Function, Class, External, Method) for c in choices(args[0])} if args else set()  # pyright: ignore[reportUnknownVariableType]
    if kinds == {True}:
        return TRUE
    kinds_uncalled = (Const, Tensor, Sequence, Mapping, Shape, Sym)
    if args and all(type(c) in kinds_uncalled and not is_returned(c) for c in choices(args[0])):
        return FALSE
    return STATIC_BOOL


REFLECTION: dict[str, Builtin] = {
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "hasattr": _hasattr,
    "getattr": _getattr,
    "setattr": _setattr,
    "object.__setattr__": _set_plainly,
    "id": _identity,
    "hash": _hash,
    "str": _str,
    "repr": _str,
    "type": _type,
    "callable": _callable,
    "format": _str,
}
