"""A test as code that `torch.cond` takes: an expression for a boolean tensor or a SymBool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import libcst as cst

from exportdb_rules.rewrite.tree import children

TENSOR: Final = "tensor"
SYMBOL: Final = "symbol"


@dataclass(frozen=True, slots=True)
class Predicate:
    """`code` is the expression; `kind` TENSOR or SYMBOL.

    `guard` is the part of the test that Python can decide while tracing, joined to `code` by `operator`
    ('and' | 'or'); '' where there is none. `scalar`: the expression is known to have no dimensions. `atomic`: it
    needs no parentheses beside another operator. `opposite`: what it is the negation of, '' if it is none. `exact`: no
    number in it is rounded to the dtype of a tensor.
    """

    code: str
    kind: str
    scalar: bool = False
    guard: str = ""
    operator: str = ""
    atomic: bool = True
    opposite: str = ""
    exact: bool = True

    @property
    def zero_dimensional(self) -> str:
        """The code for a tensor without dimensions: Python asks one element only, or raises."""
        return self.code if self.scalar else f"{parenthesised(self.code)}.reshape(())"


def total(node: cst.BaseExpression, counters: frozenset[str] = frozenset(), *, read: bool = False) -> bool:
    """Whether the expression has a value whatever came before it: nothing in it fails on an empty selection. `counters`
    are names that count what a loop goes over: what they index has such an item; `read`: `item` is called on what has one."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, cst.Subscript) and isinstance(here.value, cst.Name) and _counted(here, counters):
            continue
        if isinstance(here, (cst.Subscript, cst.NamedExpr, cst.Await, cst.Yield)):
            return False
        name = here.attr.value if isinstance(here, cst.Attribute) else ""
        if name in ("nonzero", "masked_select", "div") or (name == "item" and not read):
            return False
        stack += children(here)
    return True


def _counted(node: cst.Subscript, counters: frozenset[str]) -> bool:
    indices = [element.slice.value for element in node.slice if isinstance(element.slice, cst.Index)]
    return len(indices) == len(node.slice) and all(isinstance(i, cst.Name) and i.value in counters for i in indices)


def loose(node: cst.BaseExpression) -> bool:
    """Whether the expression needs parentheses beside another operator."""
    if node.lpar:
        return False
    return not isinstance(
        node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float, cst.Tuple, cst.List)
    )


def wrapped(node: cst.BaseExpression, code: str) -> str:
    """The code of a node as an operand: in parentheses where it needs them."""
    return f"({code})" if loose(node) else code


def parenthesised(code: str) -> str:
    """The code as an operand: in parentheses where it needs them."""
    try:
        return f"({code})" if loose(cst.parse_expression(code)) else code
    except cst.ParserSyntaxError:
        # It goes over several lines, which the parentheses around it allowed.
        return f"({code})"


def alone(code: str) -> str:
    """The code as an expression for itself: in parentheses of its own where those around it let it go over several lines."""
    if "\n" not in code:
        return code
    try:
        cst.parse_expression(code)
    except cst.ParserSyntaxError:
        return f"({code})"
    return code
