"""Functions of libraries: each has a model, registered by its qualified name, or by what the names of many begin with."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from exportdb_rules.interpreter.dispatch import call_unknown, calls
from exportdb_rules.lattice import contained
from exportdb_rules.values import TOP, External, Value, is_returned

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_rules.interpreter.machine import Frame

    # What a call comes to, given the function's name.
    Model: TypeAlias = Callable[[Frame, ast.AST, str, list[Value], dict[str, Value]], Value]

# The functions of the standard library return no tensors.
_STANDARD: Final = sys.stdlib_module_names | {""}

NAMED: Final[dict[str, Model]] = {}
# By the beginning of a name: of several that fit, the longest is the most particular.
BEGINNING: Final[dict[str, Model]] = {}


def models(*names: str) -> Callable[[Model], Model]:
    """Registers what calls of these functions come to."""

    def register(function: Model) -> Model:
        NAMED.update(dict.fromkeys(names, function))
        return function

    return register


def models_beginning(*beginnings: str) -> Callable[[Model], Model]:
    """Registers what calls of all functions come to whose names begin so, unless more is known of a longer beginning."""

    def register(function: Model) -> Model:
        BEGINNING.update(dict.fromkeys(beginnings, function))
        return function

    return register


@calls(External)
def _call_external(
    frame: Frame, node: ast.AST, callee: External, args: list[Value], keywords: dict[str, Value]
) -> Value:
    return call_library(frame, node, callee.name, args, keywords)


def call_library(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A call of something outside the project."""
    if name in _OF_NUMBERS or name.startswith(_LIBRARIES_OF_NUMBERS):
        args = [_as_number(value) for value in args]
        keywords = {key: _as_number(value) for key, value in keywords.items()}
    return _model_of(name)(frame, node, name, args, keywords)


# What is asked of numbers as well as of tensors.
_OF_NUMBERS: Final = frozenset(
    f"builtins.{name}"
    for name in "abs all any bool complex divmod float format int len max min pow range round str sum".split()
) | {"torch.tensor", "torch.as_tensor"}
_LIBRARIES_OF_NUMBERS: Final = ("copy.", "math.", "numpy.", "operator.")


def _as_number(value: Value) -> Value:
    """An argument of a function that takes numbers: of what code returned that is not analyzed, nothing is known there."""
    return TOP if any(map(is_returned, (value, *contained(value)))) else value


@lru_cache(maxsize=4096)
def _model_of(name: str) -> Model:
    found = NAMED.get(name)
    if found is None:
        beginning = max((text for text in BEGINNING if name.startswith(text)), key=len, default=None)
        found = call_unmodelled if beginning is None else BEGINNING[beginning]
    return found


def call_unmodelled(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """A function that there is no model of: it may do anything to what it is given."""
    frame.emit_call(node, name, args, keywords)
    result = call_unknown(frame, node, args, keywords)
    return TOP if name.partition(".")[0] in _STANDARD else result
