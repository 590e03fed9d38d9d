"""Text made of values: which of them is asked for its number, and which for its printed form.

Export traces the printed form of a tensor or symbol in non-strict mode, where it is text like any other; a format
specification, or a number in `%`, wants the number itself (measured with torch 2.13).
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from exportdb_rules.facts import Converted, TextUse
from exportdb_rules.lattice import Sequence, choices
from exportdb_rules.values import STATIC_STR, Const, Static, Sym, Tensor, Value

if TYPE_CHECKING:
    import ast

    from exportdb_rules.interpreter.machine import Frame

# The conversions of `%` that print an object as it is.
_PRINTED = frozenset("sra%")


def format_value(frame: Frame, node: ast.AST, value: Value, *, specified: bool, converted: bool = False) -> None:
    """A value in an f-string or a field of `str.format`; `specified`: with a format specification; `converted`: by `!r` or
    its kin."""
    for choice in choices(value):
        if converted and type(choice) is Tensor and not choice.constant:
            frame.emit(Converted(frame.site(node), "repr", choice))
            continue
        asked = (
            (specified or choice.backed)
            if type(choice) is Sym
            else specified and type(choice) is Tensor and not choice.constant
        )
        if asked:
            frame.emit(Converted(frame.site(node), "format", choice))  # type: ignore[arg-type]


def format_fields(frame: Frame, node: ast.AST, text: Value, args: list[Value], keywords: dict[str, Value]) -> None:
    """`text.format(*args, **keywords)`."""
    fields = _fields(text)
    for position, value in enumerate(args):
        format_value(frame, node, value, specified=fields is None or str(position) in fields)
    for name, value in keywords.items():
        format_value(frame, node, value, specified=fields is None or name in fields)


def _fields(text: Value) -> set[str] | None:
    """The arguments, by position or name, to which a text gives a format specification; None where it is not known."""
    if type(text) is not Const or not isinstance(text.value, str):
        return None
    found: set[str] = set()
    count = 0
    try:
        for _, field, specification, _ in string.Formatter().parse(text.value):
            if field is None:
                continue
            name = field.partition(".")[0].partition("[")[0]
            if not name:
                name, count = str(count), count + 1
            if specification:
                found.add(name)
    except ValueError:
        return None
    return found


def format_percent(frame: Frame, node: ast.AST, text: Value, given: Value) -> Value:
    """`text % given`."""
    values = given.items or [] if type(given) is Sequence and given.type == "tuple" else [given]
    _ask_for_numbers(frame, node, text, values)
    begin = ends_of(text)[0].partition("%")[0]
    return text_of([Const(begin), *map(printed_form, values), STATIC_STR])


def _ask_for_numbers(frame: Frame, node: ast.AST, text: Value, values: list[Value]) -> None:
    letters = _conversions(text)
    for number, value in enumerate(values):
        letter = letters[number] if letters is not None and number < len(letters) else "s"
        for choice in choices(value):
            if type(choice) is Sym and choice.backed:
                frame.emit(Converted(frame.site(node), "format" if letter in _PRINTED else "percent", choice))
            elif type(choice) is Sym or (type(choice) is Tensor and not choice.constant):
                if letter not in _PRINTED:
                    frame.emit(Converted(frame.site(node), "percent", choice))
                    return
                if type(choice) is Tensor or len(values) == 1:
                    frame.emit(Converted(frame.site(node), "printed", choice))
                    return


def _conversions(text: Value) -> list[str] | None:
    """The letters of the conversions in the text of a `%`, in order."""
    if type(text) is not Const or not isinstance(text.value, str):
        return None
    found: list[str] = []
    rest = text.value
    while "%" in rest:
        rest = rest.partition("%")[2].lstrip("#0- +123456789.*hlL")
        if rest[:1] and rest[0] != "%":
            found.append(rest[0])
        rest = rest[1:]
    return found


def text_of(parts: list[Value]) -> Value:
    """What an f-string or a sum of texts is, of its parts: known where all of them are."""
    if all(type(part) is Const for part in parts):
        return Const("".join(str(part.value) for part in parts))  # type: ignore[attr-defined]
    begin, end = ends_of(parts[0])[0], ends_of(parts[-1])[1]
    printed = next((part.printed for part in parts if type(part) is Static and part.printed is not None), None)
    if printed is None and not (begin or end):
        return STATIC_STR
    return Static("str", around=(begin, end) if begin or end else None, printed=printed)


def printed_form(value: Value) -> Value:
    """The text that `str(value)` is, of which no more is known than whether it prints a symbol."""
    symbol = next((choice for choice in choices(value) if type(choice) is Sym), None)
    return STATIC_STR if symbol is None else Static("str", printed=symbol)


def ask_for_text(frame: Frame, node: ast.AST, text: Value, use: TextUse = "name") -> bool:
    """A text is used as what it says: while tracing, the text of a number says the name of its symbol. Whether it is one."""
    symbol = next((c.printed for c in choices(text) if type(c) is Static and c.printed is not None), None)
    if symbol is not None:
        frame.emit(Converted(frame.site(node), use, symbol))
    return symbol is not None


def ends_of(text: Value) -> tuple[str, str]:
    """How a text begins and ends, as far as that is known."""
    if type(text) is Const:
        return str(text.value), str(text.value)
    return (text.around or ("", "")) if type(text) is Static else ("", "")
