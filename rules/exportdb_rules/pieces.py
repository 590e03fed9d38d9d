"""The functions of a file apart from everything else, and the tree of a text in which one of them was edited.

Nearly every edit changes the body of one function. Then that function alone is parsed; the rest of the tree is that of the
text before, what stands below the function moved by as many lines as the edit adds. What cannot be one function's own (a
quote or a bracket that stays open, a statement that ends it) is told by the parser, and the text is parsed as a whole.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from exportdb_rules.namespaces import namespaces
from exportdb_rules.source import Tree, syntax_tree

if TYPE_CHECKING:
    from exportdb_rules.definitions import FunctionInfo, Module


@dataclass(frozen=True, slots=True)
class Piece:
    """A function of a file: its header and body as text, and where it begins."""

    info: FunctionInfo
    header: tuple[str, ...]
    body: tuple[str, ...]


class Pieces(NamedTuple):
    """The functions of a file by class, name and number, and the text of everything else. `nodes` are those of its statements
    that were moved already: to find them takes longer than to move them."""

    functions: dict[tuple[str, str, int], Piece]
    rest: list[tuple[str, ...]]
    nodes: Nodes


# By the identity of a part of the tree: that part, which is kept as long as its id, and all that it is made of.
Nodes = dict[int, tuple[ast.AST, list[ast.AST]]]


def pieces_of(module: Module) -> Pieces:
    """The functions of a file, and the text of everything else."""
    # Of a half-typed text the lines that were parsed: equal text there is equal code.
    lines = module.parsed
    found: dict[tuple[str, str, int], Piece] = {}
    rest: list[tuple[str, ...]] = []

    # What is known of the classes in a function is not kept apart from it.
    holders = namespaces(module)

    def add(owner: str, node: ast.stmt, info: FunctionInfo | None) -> None:
        end = node.end_lineno or node.lineno
        if info is None or info.node is not node or not isinstance(node, ast.FunctionDef) or id(node) in holders:
            rest.append(tuple(lines[node.lineno - 1 : end]))
            return
        first = min([node.lineno, *[d.lineno for d in node.decorator_list]]) - 1
        header = tuple(lines[first : node.body[0].lineno - 1])
        count = 0
        while (owner, node.name, count) in found:
            count += 1
        rest.append((owner, node.name))
        found[owner, node.name, count] = Piece(info, header, _body(node, lines))

    functions = {id(f.node): f for f in module.functions}
    classes = {id(c.node): c for c in module.classes}
    for node in module.body:
        if isinstance(node, ast.ClassDef) and id(node) in classes:
            cls = classes[id(node)]
            methods = {id(m.node): m for m in cls.methods.values()}
            first = min([node.lineno, *[d.lineno for d in node.decorator_list]]) - 1
            rest.append(tuple(lines[first : node.body[0].lineno - 1]))
            for item in node.body:
                add(cls.name, item, methods.get(id(item)))
        else:
            add("", node, functions.get(id(node)))
    return Pieces(found, rest, {})


def _body(node: ast.FunctionDef, lines: list[str]) -> tuple[str, ...]:
    """The lines of a function's body."""
    return tuple(lines[node.body[0].lineno - 1 : node.end_lineno])


def pieces_after(before: Pieces, module: Module) -> Pieces:
    """`pieces_of` a text whose tree is that of an older one, in which functions were replaced (see `edited`)."""
    standing = {id(node) for outer in module.body for node in (outer, *getattr(outer, "body", ()))}
    known = {id(piece.info.node) for piece in before.functions.values()}
    functions = {**before.functions}
    for key, piece in before.functions.items():
        if id(piece.info.node) in standing:
            continue
        owner, name, _ = key
        methods = [m for cls in module.classes if cls.name == owner for m in cls.methods.values()]
        fresh = [f for f in (methods if owner else module.functions) if f.name == name and id(f.node) not in known]
        node = fresh[0].node if len(fresh) == 1 else None
        if not isinstance(node, ast.FunctionDef) or id(node) in namespaces(module):
            return pieces_of(module)
        functions[key] = Piece(fresh[0], piece.header, _body(node, module.parsed))
    return Pieces(functions, before.rest, {})


def shift(top: ast.AST, by: int, nodes: Nodes) -> None:
    """Move a node, and all that it is made of, by so many lines."""
    if not by:
        return
    known = nodes.get(id(top))
    if known is None:
        known = nodes[id(top)] = (top, [node for node in ast.walk(top) if hasattr(node, "lineno")])
    for node in known[1]:
        node.lineno += by  # type: ignore[attr-defined]
        node.end_lineno += by  # type: ignore[attr-defined]


def shift_header(node: ast.ClassDef, by: int, nodes: Nodes) -> None:
    """Move what a class has above its body."""
    for part in (*node.bases, *node.keywords, *node.decorator_list, *getattr(node, "type_params", ())):
        shift(part, by, nodes)


def edited(old: Module, text: str) -> Tree | None:
    """The tree of a text that differs from a file's in the body of one function, made of that of the file, whose nodes are
    moved to where they stand in the text; None, and nothing changed, where that cannot be done."""
    if old.unread is not None or old.problem is not None or not old.body or _is_odd(old.text) or _is_odd(text):
        return None
    before, after = old.lines.rows, text.split("\n")
    shorter = min(len(before), len(after))
    start = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    same = 0
    while same < shorter - start and before[-1 - same] == after[-1 - same]:
        same += 1
    if not isinstance(old.pieces, Pieces):
        old.pieces = pieces_of(old)
    by = len(after) - len(before)
    for number, node in enumerate(old.body):
        end = node.end_lineno or node.lineno
        if end < len(before) - same:
            continue
        owner = node if isinstance(node, ast.ClassDef) else None
        block = old.body if owner is None else owner.body
        for index in range(len(block)) if owner is not None else [number]:
            function = block[index]
            if not isinstance(function, ast.FunctionDef) or not _within(function, before, start, len(before) - same):
                continue
            fresh = _parsed(function, after, by, inside=owner is not None)
            if fresh is None or all(piece.info.node is not function for piece in old.pieces.functions.values()):
                return None
            old.pieces.nodes.pop(id(function), None)
            block[index] = fresh
            if owner is not None:
                for other in block[index + 1 :]:
                    shift(other, by, old.pieces.nodes)
                owner.end_lineno = end + by
                owner.end_col_offset = block[-1].end_col_offset
            for other in old.body[number + 1 :]:
                _move(other, by, old.pieces.nodes)
            return Tree(old.body, None)
        return None
    return None


def _move(node: ast.stmt, by: int, nodes: Nodes) -> None:
    """Move a statement of a file. The methods of a class are moved one by one: each may be replaced."""
    if isinstance(node, ast.ClassDef):
        shift_header(node, by, nodes)
        for part in node.body:
            shift(part, by, nodes)
        node.lineno, node.end_lineno = node.lineno + by, (node.end_lineno or node.lineno) + by
    else:
        shift(node, by, nodes)


def _is_odd(text: str) -> bool:
    """Whether rows of a text may end where the parser sees no end, or begin where it sees another column."""
    return "\r" in text or "\f" in text or text.startswith("\ufeff")


def _within(function: ast.FunctionDef, rows: list[str], start: int, end: int) -> bool:
    """Whether the rows from one up to another, counted from 0, stand in the body of a function, which begins its own row."""
    first = function.body[0]
    return (
        first.lineno - 1 <= start
        and end <= (function.end_lineno or 0)
        and not rows[first.lineno - 1][: first.col_offset].strip()
    )


def _parsed(old: ast.FunctionDef, rows: list[str], by: int, *, inside: bool) -> ast.FunctionDef | None:
    """A function of a class, or of the file, as it is now, `by` rows longer; None where that is not one function."""
    first, last = min([old.lineno, *[d.lineno for d in old.decorator_list]]), (old.end_lineno or 0) + by
    head = "\n" * (first - 2) + "class _:\n" if inside else "\n" * (first - 1)
    if inside and first < 2:
        return None
    try:
        body = syntax_tree(head + "\n".join(rows[first - 1 : last]) + "\n").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if inside and len(body) == 1 and isinstance(body[0], ast.ClassDef):
        body = body[0].body
    fresh = body[0] if len(body) == 1 else None
    if isinstance(fresh, ast.FunctionDef) and fresh.name == old.name and fresh.end_lineno == last:
        return fresh
    return None
