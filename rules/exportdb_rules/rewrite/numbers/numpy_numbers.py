"""Functions of numpy that are given plain numbers, as Python's own: no tensor is meant, and none shall come of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.imports import module_import, numpy_name
from exportdb_rules.rewrite.known.scopes import hidden
from exportdb_rules.rewrite.numbers import numpy_table as table
from exportdb_rules.rewrite.outline import still_parses
from exportdb_rules.rewrite.tree import Tree, children, dotted, parse

if TYPE_CHECKING:
    from exportdb_rules.finding import Span
    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Replace NumPy with Python's built-in math"


def numbers_to_math(context: FixContext) -> tuple[Fix, ...]:
    """Functions of numpy on plain numbers as Python's own.

    `unsafe` where Python's raises and numpy's warns, a root of a negative number, a logarithm of 0, a division by what
    `gcd` gave; `safe` for an index, a bound or the end of a range.
    """
    tree = parse(context.text)
    if tree is None:
        return ()
    numpy, span = numpy_name(tree), context.finding.span
    edits: dict[Span, Edit] = {}
    stack: list[tuple[cst.CSTNode, ...]] = [(tree.module,)]
    while stack:
        path = stack.pop()
        node = path[-1]
        where = tree.span(node)
        if where is not None and (where.end <= span.start or span.end <= where.start):
            continue
        if isinstance(node, cst.Call) and dotted(node.func).startswith(f"{numpy}."):
            edit = _number(context, tree, numpy, node, path)
            if edit is None:
                return ()
            edits[edit.span] = edit
            continue
        stack += [(*path, child) for child in children(node)]
    every = tuple(sorted((*module_import(tree, "math"), *edits.values()), key=lambda e: e.span))
    if not edits or not still_parses(context.text, every) or hidden(tree, every):
        return ()
    exact = all(e.content.startswith(("math.lcm", "math.gcd")) and _counts(tree, e.span) for e in edits.values())
    applicability = Applicability.SAFE if exact else Applicability.UNSAFE
    return (Fix(TITLE, applicability, every, preferred=True),)


def _counts(tree: Tree, span: Span) -> bool:
    """Whether an expression is an index, a bound of a slice or of a range: 0 is one as well."""
    above = tree.path(span)[-2]
    if isinstance(above, cst.Arg):
        call = tree.path(span)[-3]
        return isinstance(call, cst.Call) and dotted(call.func) in ("range", "int")
    return isinstance(above, (cst.Slice, cst.Index))


def _number(context: FixContext, tree: Tree, numpy: str, node: cst.Call, path: tuple[cst.CSTNode, ...]) -> Edit | None:
    """One call as Python's own, with the `.item()` behind it; None if it has none."""
    name = dotted(node.func).removeprefix(f"{numpy}.")
    reduced = name.endswith(".reduce")
    new = table.NUMBERS.get(name.removesuffix(".reduce"))
    if new is None or any(a.keyword is not None or a.star for a in node.args):
        return None
    if name in ("ceil", "floor", "trunc"):
        # numpy's are floats, Python's are ints: alike only where an int is made of them anyway.
        caller = path[-3] if len(path) > 2 else None
        if not isinstance(caller, cst.Call) or dotted(caller.func) != "int":
            return None
    for arg in node.args:
        where = tree.span(arg.value)
        value = domain.TOP if where is None else context.value(where)
        if any(type(c) is domain.Tensor for c in lattice.choices(value)):
            return None
        if name.removesuffix(".reduce") in ("gcd", "lcm") and not _whole(arg.value, value):
            # Of arrays numpy makes an array: only what is known to be an int is none.
            return None
    codes = [tree.code(a.value) for a in node.args]
    if reduced:
        if len(codes) != 1:
            return None
        codes = [f"*{codes[0]}"]
    whole: cst.CSTNode = node
    if (
        len(path) > 2
        and isinstance(path[-2], cst.Attribute)
        and path[-2].attr.value == "item"
        and isinstance(path[-3], cst.Call)
    ):
        whole = path[-3]
    span = tree.span(whole)
    return None if span is None else Edit(span, f"{new}({', '.join(codes)})")


def _whole(node: cst.BaseExpression, value: domain.Value) -> bool:
    """Whether an argument is known to be an int, or a list of ints."""
    if isinstance(node, cst.Integer):
        return True
    parts = [value]
    if isinstance(value, lattice.Sequence):
        parts = [value.any()]
    return all(
        (isinstance(c, domain.Const) and type(c.value) is int) or getattr(c, "type", "") == "int"
        for part in parts
        for c in lattice.choices(part)
    )
