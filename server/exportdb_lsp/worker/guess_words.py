"""What the code around a class says of a parameter that nobody gives a value: words and numbers to try.

`norm="instance"` in a call next door, `def other(norm="batch")`, `if norm == "layer"` in the constructor itself, and the
options that an error message lists.
"""

# torch publishes partial types only, and the arguments of a model can be anything.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import typing
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .load import file_of

Choice = tuple[Any, str]
"""A value, and the text that makes it."""

MAX_FILES = 60
MAX_TEXT = 2_000_000
LARGEST = 256
# "Unsupported norm 'foo', available options are {'batch', 'group'}"
_QUOTED = re.compile(r"""['"`]([A-Za-z][\w.+\- ]{0,30})['"`]""")


class Words:
    """The literals that one package gives to parameters, by their names."""

    def __init__(self, kind: Any) -> None:
        self._found: dict[str, list[Any]] = {}
        for tree in _trees(kind):
            self._read(tree)

    def of(self, name: str, hint: Any) -> tuple[list[Choice], list[Choice]]:
        """Words and collections that fit an annotation, and numbers that do, those that are said most often first."""
        values = [value for value in self._found.get(name, ()) if fits(value, hint)]
        texts = sorted({repr(value) for value in values}, key=lambda text: -sum(repr(v) == text for v in values))
        ranked = [next(value for value in values if repr(value) == text) for text in texts]
        written = [(value, repr(value)) for value in ranked]
        return [one for one in written if not _is_number(one[0])], [one for one in written if _is_number(one[0])]

    def _read(self, tree: ast.AST) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for keyword in node.keywords:
                    self._add(keyword.arg, keyword.value)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                positional = [*node.args.posonlyargs, *node.args.args]
                given = node.args.defaults
                for argument, default in zip(positional[len(positional) - len(given) :], given):
                    self._add(argument.arg, default)
                for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults):
                    self._add(argument.arg, default)
            elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and len(node.ops) == 1:
                other = node.comparators[0]
                items = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
                if isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
                    for item in items:
                        self._add(node.left.id, item)

    def _add(self, name: str | None, node: ast.expr | None) -> None:
        if name is None or node is None:
            return
        try:
            value = ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return
        if value is None or isinstance(value, (dict, bytes, complex)) or (_is_number(value) and abs(value) > LARGEST):
            return
        self._found.setdefault(name, []).append(value)


def options(complaints: list[str]) -> list[Choice]:
    """The words that error messages put into quotes: what was refused, and what would have been taken."""
    words = [word for complaint in complaints for word in _QUOTED.findall(complaint)]
    return [(word, repr(word)) for word in dict.fromkeys(words)][:8]


def classes_with(kind: Any, attribute: str) -> Iterator[Any]:
    """Other module classes of the package whose instances have an attribute, those next to `kind` first."""
    torch: Any = sys.modules["torch"]
    seen: set[Any] = {kind}
    for module in _modules(kind):
        for other in list(vars(module).values()):
            if not inspect.isclass(other) or other in seen or not issubclass(other, torch.nn.Module):
                continue
            seen.add(other)
            package = other.__module__.partition(".")[0] == kind.__module__.partition(".")[0]
            try:
                has = hasattr(other, attribute) or f"self.{attribute} = " in inspect.getsource(other)
            except Exception:  # no source, or a metaclass of the user's that fails
                continue
            if package and has:
                yield other


def _modules(kind: Any) -> list[Any]:
    own = sys.modules.get(kind.__module__)
    package = kind.__module__.partition(".")[0]
    others = [m for name, m in list(sys.modules.items()) if name.partition(".")[0] == package and m is not own]
    return [module for module in [own, *others] if isinstance(module, ModuleType)][:MAX_FILES]


def _trees(kind: Any) -> Iterator[ast.AST]:
    """The modules of a class's package, its own one first."""
    read = 0
    for module in _modules(kind):
        filename = file_of(module)
        if not filename.endswith(".py") or read > MAX_TEXT:
            continue
        text = "".join(linecache.getlines(filename))
        read += len(text)
        try:
            yield ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation asks for, as far as that can be told."""
    if hint is inspect.Parameter.empty or hint is Any or isinstance(hint, str):
        return True
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union or type(hint).__name__ == "UnionType":
        return any(fits(value, one) for one in arguments)
    if origin is getattr(typing, "Literal", None):
        return value in arguments
    wanted = origin or hint
    if not inspect.isclass(wanted):
        return False
    if isinstance(value, str):
        return wanted is str  # a sequence too, but nobody means that by Sequence
    if isinstance(value, (list, tuple)):
        # An annotation that says Sequence takes both; of what it holds, one look must do.
        return issubclass(type(value), wanted) and (not arguments or not value or fits(value[0], arguments[0]))
    return type(value) is wanted or (isinstance(value, wanted) and not isinstance(value, bool))
