"""What a call, or a read attribute, comes to, by the type of the value that is called or read.

The modules that know a kind of value register here what it does, as those that know a kind of node do in `machine`. So each
of them can call whatever a value turns out to be, and read from it, and need not import the module that knows how.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from exportdb_rules.lattice import Mapping, Sequence, choices, contained, tensors
from exportdb_rules.values import (
    ANYWHERE,
    TOP,
    Class,
    Evidence,
    Function,
    Instance,
    Partial,
    Tensor,
    Union,
    Value,
    is_returned,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_rules.interpreter.machine import Frame

    _Kind = TypeVar("_Kind", bound=Value)
    _Caller: TypeAlias = Callable[[Frame, ast.AST, _Kind, list[Value], dict[str, Value]], Value]
    _MethodCaller: TypeAlias = Callable[[Frame, ast.AST, _Kind, str, list[Value], dict[str, Value]], Value]
    _Reader: TypeAlias = Callable[[Frame, ast.AST, _Kind, str], Value]

# Methods that put a function around the forward of a module; nothing but a module has them.
FORWARD_HOOKS: Final = ("register_forward_hook", "register_forward_pre_hook")
CALL: Final[dict[type[Value], _Caller[Any]]] = {}
METHOD: Final[dict[type[Value], _MethodCaller[Any]]] = {}
ATTRIBUTE: Final[dict[type[Value], _Reader[Any]]] = {}

# What arguments of the project's own functions come through: the others take no notice of what `*` may have given besides.
_BINDING: Final = frozenset({Function, Instance, Class, Partial, Union})


def calls(kind: type[_Kind]) -> Callable[[_Caller[_Kind]], _Caller[_Kind]]:
    """Registers what a call of a value of that type comes to."""

    def register(function: _Caller[_Kind]) -> _Caller[_Kind]:
        CALL[kind] = function
        return function

    return register


def methods_of(kind: type[_Kind]) -> Callable[[_MethodCaller[_Kind]], _MethodCaller[_Kind]]:
    """Registers what calls of methods come to that a value of that type brings along."""

    def register(function: _MethodCaller[_Kind]) -> _MethodCaller[_Kind]:
        METHOD[kind] = function
        return function

    return register


def attributes_of(*kinds: type[_Kind]) -> Callable[[_Reader[_Kind]], _Reader[_Kind]]:
    """Registers what reading an attribute of a value of one of these types comes to."""

    def register(function: _Reader[_Kind]) -> _Reader[_Kind]:
        ATTRIBUTE.update(dict.fromkeys(kinds, function))
        return function

    return register


def call(frame: Frame, node: ast.AST, callee: Value, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`callee(*args, **keywords)`. For the keys `*` and `**` see `expressions.arguments`."""
    kind = type(callee)
    if "*" in keywords and kind not in _BINDING:
        keywords = {name: value for name, value in keywords.items() if name != "*"}
    caller = CALL.get(kind)
    return call_unknown(frame, node, args, keywords) if caller is None else caller(frame, node, callee, args, keywords)


def call_method(
    frame: Frame,
    node: ast.AST,
    receiver: Value,
    name: str,
    args: list[Value],
    keywords: dict[str, Value] | None = None,
) -> Value:
    """`receiver.name(*args, **keywords)`."""
    keywords = {} if keywords is None else keywords
    if type(receiver) is Instance and receiver.cls is not None:
        method = receiver.cls.find(name, frame.run.project)
        if method is None:
            return TOP
        return call(frame, node, Function(method, bound=receiver, owner=method.cls), args, keywords)
    return call(frame, node, read_attribute(frame, node, receiver, name), args, keywords)


def call_bound(
    frame: Frame, node: ast.AST, receiver: Value, name: str, args: list[Value], keywords: dict[str, Value]
) -> Value:
    """`receiver.name(…)`, a method that a value which is no object of the project brings along."""
    caller = METHOD.get(type(receiver))
    return TOP if caller is None else caller(frame, node, receiver, name, args, keywords)


def read_attribute(frame: Frame, node: ast.AST, owner: Value, name: str) -> Value:
    """`owner.name`."""
    reader = ATTRIBUTE.get(type(owner))
    return TOP if reader is None else reader(frame, node, owner, name)


def call_unknown(frame: Frame, node: ast.AST, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A call of what nothing is known of. A module or a function that is given tensors, also in containers, returns some."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FORWARD_HOOKS:
        # Whatever module it is: nothing but a module has a method of that name.
        frame.emit_call(node, f"torch.nn.Module.{node.func.attr}", args, keywords)
    found = given_tensors(args, keywords) if frame.traced else []
    escape(args, keywords)
    if not found or any(one.array for one in found):
        return TOP
    return RETURNED_FIXED if all(one.fixed for one in found) else RETURNED


def given_tensors(args: list[Value], keywords: dict[str, Value]) -> list[Tensor]:
    """The tensors among arguments, also in containers, that are no constants."""
    given = [choice for value in (*args, *keywords.values()) for choice in choices(value)]
    parts = [part for value in given for part in contained(value)]
    return [one for value in (*given, *parts) for one in tensors(value) if not one.constant]


# What a call returns whose code is not analyzed.
RETURNED: Final = Tensor(ANYWHERE, alias=True, evidence=Evidence.RETURNED)
# The same, where it is made of parameters and buffers alone.
RETURNED_FIXED: Final = RETURNED.changed(fixed=True)


@calls(Tensor)
def _call_part(frame: Frame, node: ast.AST, callee: Tensor, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A method of an object that holds tensors: `self.encoder(x).latent_dist.sample()`."""
    found = call_unknown(frame, node, args, keywords)
    return callee if found is TOP and is_returned(callee) else found


def escape(args: list[Value], keywords: dict[str, Value]) -> None:
    """Somebody unknown gets hold of these: their containers may hold anything afterwards."""
    for value in (*args, *keywords.values()):
        if type(value) is Sequence and value.type == "list":
            value.widen(TOP)
        elif type(value) is Mapping:
            value.element = TOP
