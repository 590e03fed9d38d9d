"""What a function may write to objects that were there before, with all that it calls: read off the texts.

To postpone a call, one has to know which attributes would be different behind it. That is asked of many functions that
are never run, so nothing is parsed for it: the text of each function tells which attributes it assigns, and by which
names it calls others. What a text does not tell (a class that a local name stands for) is left out.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from exportdb_rules.bodies import Body, plain_text
from exportdb_rules.project import ClassInfo, FunctionInfo, Module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.project import Project

# More functions than these are not followed: what they write is not known.
MAX_FUNCTIONS: Final = 600

# What stands before a dot is read off the text behind a match: patterns that begin with a dot, or a word, are looked for
# ten times as fast as those that begin with any name.
_STORE: Final = re.compile(r"\.(\w+)(?:\[[^\n]*\])?[ \t]*(?:[-+*/%&|^@<>]{1,3})?=(?!=)")
# What begins a row, each behind what is looked for first.
_ANNOTATED: Final = (re.compile(r"\.\w+[ \t]*:"), re.compile(r"[ \t]*(\w+)\.(\w+)[ \t]*:"))
_SEVERAL: Final = (
    re.compile(r",[ \t]*[\w.\[\]]+\)?[ \t]*=(?!=)"),
    re.compile(r"[ \t]*\(?((?:[\w.\[\]]+[ \t]*,[ \t]*)+[\w.\[\]]+)\)?[ \t]*=(?!=)"),
)
_ITEM: Final = (
    re.compile(r"\][ \t]*(?:[-+*/%&|^@<>]{1,3})?=(?!=)"),
    re.compile(r"[ \t]*(\w+)\[[^\n]*\][ \t]*(?:[-+*/%&|^@<>]{1,3})?=(?!=)"),
)
_BOUND: Final = re.compile(r"(?:as|for|del)[ \t]+(\w+)\.(\w+)")
_CHANGED: Final = re.compile(
    r"\.(\w+)\.(?:append|extend|insert|add|update|pop|popitem|remove|discard|clear|setdefault|sort|reverse)\("
)
_GROWN: Final = re.compile(
    r"\.(?:append|extend|insert|add|update|pop|popitem|remove|discard|clear|setdefault|sort|reverse)\("
)
_NAMED: Final = re.compile(r"\bsetattr\(\s*(\w+)[^,\n]*,\s*['\"](\w+)['\"]")
_MEMBER: Final = re.compile(r"\b(\w+)\.(\w+)")
_WORD: Final = re.compile(r"\w+")
_INSIDE: Final = re.compile(r"[\w.]")
_SUPER: Final = re.compile(r"super\(\)\.(\w+)")
# A name that is called, read from its bracket back: in the text from its end to its beginning.
_CALLED: Final = re.compile(r"\(((?:\w+\.)*\w*[A-Za-z_])(?![\w.])")
# What makes parameters, buffers and modules: those are looked for on an object without naming them.
_WIDE: Final = re.compile(
    r"\bregister_(?:buffer|parameter|module)\(|\badd_module\(|\bnn\.[A-Z]\w*\(|\bParameter\(|\bBuffer\("
)
_WIDE_WORDS: Final = ("register_", "add_module", "nn.", "Parameter", "Buffer")
# An attribute whose name is not written out.
_OPENED: Final = re.compile(r"\bsetattr\(\s*(\w+)\s*,\s*[^'\"\s]")


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call may write: attributes of its receiver, attributes of whatever other object; and the functions that it
    may run, with their files and the size of their texts in characters. `opens`: it also writes attributes of the receiver whose names its
    text does not tell. `bounded` is unset where that is not all."""

    own: frozenset[str]
    others: frozenset[str]
    functions: tuple[FunctionInfo, ...]
    files: frozenset[Module]
    size: int
    opens: bool
    bounded: bool


@dataclass(frozen=True, slots=True)
class _Said:
    """What the text of one function says of itself."""

    own: frozenset[str]
    others: frozenset[str]
    members: frozenset[str]
    supers: frozenset[str]
    called: frozenset[str]
    # The names of the containers that it puts into, or takes out of.
    items: frozenset[str]
    opens: bool
    wide: bool
    size: int


def effects_of(project: Project, function: FunctionInfo, receiver: ClassInfo | None) -> Effects:
    """The effects of a call of a function on a receiver of a class (None: it has none)."""
    key = (id(function), id(receiver))
    known = project.effects.get(key)
    if known is None:
        found = _follow(project, function, receiver)
        # The objects themselves are kept: an id is only good for as long as its object lives.
        known = project.effects[key] = (function, receiver, found)
    return known[2]  # type: ignore[return-value]


def _follow(project: Project, function: FunctionInfo, receiver: ClassInfo | None) -> Effects:
    own: set[str] = set()
    others: set[str] = set()
    functions: list[FunctionInfo] = []
    # Each with the class of the object it is called on, and whether that is the receiver, which was there before.
    waiting: list[tuple[FunctionInfo, ClassInfo | None, bool]] = [(function, receiver, True)]
    seen: set[tuple[int, int, bool]] = set()
    size = 0
    opens, bounded = False, True
    while waiting and bounded:
        info, cls, same = waiting.pop()
        mark = (id(info), id(cls), same)
        if mark in seen:
            continue
        seen.add(mark)
        functions.append(info)
        said = _said(info)
        size += said.size
        bounded = not said.wide and len(seen) <= MAX_FUNCTIONS
        bounded = bounded and not any(info.module.binds(name) for name in said.items)
        if same:
            own |= said.own
            opens = opens or said.opens
        others |= said.others
        waiting += [
            (callee, owner, same and own_object) for callee, owner, own_object in _callees(project, info, cls, said)
        ]
    files = frozenset([info.module.file for info in functions])
    return Effects(frozenset(own), frozenset(others), tuple(functions), files, size, opens, bounded)


def _callees(
    project: Project, info: FunctionInfo, cls: ClassInfo | None, said: _Said
) -> list[tuple[FunctionInfo, ClassInfo | None, bool]]:
    """What a function may call, given the class of its receiver; each with the class of its own receiver, and whether that
    is the same object."""
    key = (id(info), id(cls))
    known = project.callees.get(key)
    if known is None:
        # The objects themselves are kept: an id is only good for as long as its object lives.
        known = project.callees[key] = (info, cls, [*_find_callees(project, info, cls, said)])
    return known[2]


def _find_callees(
    project: Project, info: FunctionInfo, cls: ClassInfo | None, said: _Said
) -> Iterator[tuple[FunctionInfo, ClassInfo | None, bool]]:
    if cls is not None:
        for name in said.members:
            method = cls.find(name, project)
            if method is not None:
                yield method, cls, True
        for name in said.supers:
            method = cls.find(name, project, after=info.cls)
            if method is not None:
                yield method, cls, True
    for name in said.called:
        target = _resolved(project, info.module, name)
        if isinstance(target, ClassInfo):
            init = target.find("__init__", project)
            if init is not None:
                yield init, target, False
        elif isinstance(target, FunctionInfo):
            yield target, target.cls, False
        elif target is None and "." in name and cls is not None:
            # On an object of which the text does not tell the class: one of the same kind, it may be.
            method = cls.find(name.rpartition(".")[2], project)
            if method is not None:
                yield method, cls, False


def _resolved(project: Project, module: Module, name: str) -> ClassInfo | FunctionInfo | None:
    first, *rest = name.split(".")
    if not module.binds(first):
        return None
    target: object = project.resolve(module, first)
    for part in rest:
        if isinstance(target, Module):
            target = project.resolve(target, part)
        elif isinstance(target, ClassInfo):
            target = target.find(part, project)
        else:
            return None
    return target if isinstance(target, (ClassInfo, FunctionInfo)) else None


def _said(info: FunctionInfo) -> _Said:
    if not isinstance(info.said, _Said):
        info.said = _read(info)
    return info.said


def _read(info: FunctionInfo) -> _Said:
    text, plain = _texts(info)
    names = info.node.args
    first = next((arg.arg for arg in (*names.posonlyargs, *names.args)), "")
    receiver = first if info.cls is not None and "staticmethod" not in info.decorators else ""
    stored = [(row[1], row[2]) for row in _rows(plain, *_ANNOTATED)] + _BOUND.findall(plain)
    stored += [(owner, match[1]) for match in _STORE.finditer(plain) if (owner := _before(plain, match.start()))]
    stored += [
        (owner, match[1])
        for match in _CHANGED.finditer(plain)
        if (owner := _before(plain, match.start())) not in ("", ")", "]")
    ]
    sets = "setattr" in text
    if sets:
        stored += _NAMED.findall(text)
    for row in _rows(plain, *_SEVERAL):
        stored += _MEMBER.findall(row[1])
    own = {name for owner, name in stored if owner == receiver}
    others = {name for owner, name in stored if owner != receiver}
    if "classmethod" in info.decorators:
        own, others = set[str](), own | others
    return _Said(
        frozenset(own),
        frozenset(others),
        frozenset(_members(plain, receiver)) if receiver else frozenset(),
        frozenset(_SUPER.findall(plain)),
        frozenset(name for name in _called(plain) if name.partition(".")[0] not in (receiver, "super")),
        frozenset(
            [row[1] for row in _rows(plain, *_ITEM)] + [_before(plain, m.start()) for m in _GROWN.finditer(plain)]
        ),
        sets and receiver in _OPENED.findall(text),
        any(word in plain for word in _WIDE_WORDS) and _WIDE.search(plain) is not None,
        len(text),
    )


def _rows(plain: str, part: re.Pattern[str], pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Where a pattern matches at the beginning of a row, which takes a row that `part` is found in."""
    row = -1
    for match in part.finditer(plain):
        start = plain.rfind("\n", 0, match.start()) + 1
        if start != row:
            row = start
            found = pattern.match(plain, start)
            if found is not None:
                yield found


def _called(plain: str) -> list[str]:
    """The names that a text calls, each once."""
    return [name[::-1] for name in {*_CALLED.findall(plain[::-1])}]


def _before(plain: str, dot: int) -> str:
    """What stands before a dot: a name, the bracket that ends an expression, or nothing that has attributes."""
    start = dot
    while start and (plain[start - 1].isalnum() or plain[start - 1] == "_"):
        start -= 1
    return plain[start:dot] or (plain[dot - 1 : dot] if plain[dot - 1 : dot] in (")", "]") else "")


def _members(plain: str, receiver: str) -> Iterator[str]:
    """The attributes of a name that a text mentions."""
    start = plain.find(receiver + ".")
    while start >= 0:
        name = start + len(receiver) + 1
        if not start or _INSIDE.match(plain, start - 1) is None:
            found = _WORD.match(plain, name)
            if found is not None:
                yield found[0]
        start = plain.find(receiver + ".", name)


def _texts(info: FunctionInfo) -> tuple[str, str]:
    """The text of a function's body, and its `plain_text`."""
    node = info.node
    if not isinstance(node, ast.Lambda) and isinstance(node.body, Body) and node.body.unread:
        return node.body.text, node.body.plain
    if isinstance(node, ast.Lambda):
        text = ast.unparse(node.body)
    else:
        text = "\n".join(info.module.parsed[node.body[0].lineno - 1 : node.end_lineno]) if node.body else ""
    return text, plain_text(text)
