"""The fake kernel of a custom operator: what tracing is told of its result's shape.

A kernel that is made of torch's own operators, none of which looks at data, runs on fake tensors as it stands
(measured on torch 2.13, in both modes), so its own code tells the shape. Of any other kernel only its author knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.finished import parses
from exportdb_rules.rewrite.imports import torch_name
from exportdb_rules.rewrite.known import operators as ops
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import Tree, below, dotted, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Register a fake kernel"
STUB: Final = "Register a stub of a fake kernel, to be filled in"

_TRACEABLE: Final = (
    ops.FRESH | ops.VIEWS | ops.TRANSPOSING | ops.INDEX_REDUCTIONS | ops.NEW | frozenset(ops.CASTS) | ops.PASSING
) - {"bincount", "index_put", "one_hot", "repeat_interleave"}
_PLAIN: Final = (
    cst.Integer, cst.Float, cst.BinaryOperation, cst.UnaryOperation, cst.Tuple, cst.List, cst.SimpleString, cst.Ellipsis,
)  # fmt: skip
# Attributes of tensors that tracing knows.
_KNOWN: Final = frozenset(("shape", "dtype", "device", "ndim", "T", "mT"))


def fake_kernel(context: FixContext) -> tuple[Fix, ...]:
    """A fake kernel below the operator's own: a copy of it where that serves, else a stub. `safe`: eager never runs it."""
    tree = parse(context.text)
    if tree is None:
        return ()
    try:
        function, decorator = _kernel(tree, context)
        copied = _traceable(tree, function)
        edit = _below(tree, function, decorator, copied)
    except Refused:
        return ()
    if not parses(apply(context.text, (edit,))):
        return ()
    if copied:
        return (Fix(TITLE, Applicability.SAFE, (edit,), preferred=True),)
    return (Fix(STUB, Applicability.UNSAFE, (edit,), optional=True),)


def _kernel(tree: Tree, context: FixContext) -> tuple[cst.FunctionDef, str]:
    """The function that computes the operator which a finding calls, and the decorator of its fake kernel."""
    path = tree.path(context.finding.span)
    call = path[-1] if path else None
    if not isinstance(call, cst.Call):
        raise Refused("no call stands there")
    called = dotted(call.func)
    torch = torch_name(tree)
    for function in tree.module.body:
        if not isinstance(function, cst.FunctionDef):
            continue
        for decorator in function.decorators:
            made = decorator.decorator
            if not isinstance(made, cst.Call):
                continue
            first = made.args[0].value if made.args else None
            name = first.evaluated_value if isinstance(first, cst.SimpleString) else None
            kind = dotted(made.func).rpartition(".")[2]
            if kind == "custom_op" and called == function.name.value and _mutates_nothing(made):
                return function, f"{called}.register_fake"
            if kind == "impl" and isinstance(name, str) and called.endswith(f"ops.{name.replace('::', '.')}"):
                return function, f'{torch}.library.register_fake("{name}")'
    raise Refused("the operator's code is elsewhere")


def _mutates_nothing(made: cst.Call) -> bool:
    given = next((a.value for a in made.args if a.keyword is not None and a.keyword.value == "mutates_args"), None)
    return isinstance(given, (cst.Tuple, cst.List)) and not given.elements


def _traceable(tree: Tree, function: cst.FunctionDef) -> bool:
    """Whether a kernel is straight code of torch's operators, none of which looks at data."""
    torch = torch_name(tree)
    known = {p.name.value for p in parameters(function)}
    body = _statements(function)
    for statement in body:
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            return False
        only = statement.body[0]
        if isinstance(only, cst.Assign) and len(only.targets) == 1 and isinstance(only.targets[0].target, cst.Name):
            if not _allowed(only.value, known, torch):
                return False
            known.add(only.targets[0].target.value)
        elif (
            not isinstance(only, cst.Return)
            or only.value is None
            or statement is not body[-1]
            or not _allowed(only.value, known, torch)
        ):
            return False
    return bool(body)


def _allowed(node: cst.BaseExpression, known: set[str], torch: str) -> bool:
    parts = list(below(node, cst.BaseExpression))
    # The names of attributes and of keywords are no variables.
    words = {id(part.attr) for part in parts if isinstance(part, cst.Attribute)}
    words |= {id(arg.keyword) for arg in below(node, cst.Arg)}
    called = {id(part.func) for part in parts if isinstance(part, cst.Call)}
    for part in parts:
        if isinstance(part, cst.Name):
            allowed = id(part) in words or part.value in known | {torch, "True", "False", "None"}
        elif isinstance(part, cst.Attribute):
            allowed = id(part) in called or part.attr.value in _KNOWN or dotted(part).partition(".")[0] == torch
        elif isinstance(part, cst.Call):
            name = part.func.attr.value if isinstance(part.func, cst.Attribute) else ""
            allowed = name in _TRACEABLE and not any(arg.star for arg in part.args)
            # With one argument it looks for the places where that is true.
            allowed = allowed and (name != "where" or len(part.args) == 3)
        elif isinstance(part, cst.Subscript):
            allowed = all(_fixed(element.slice) for element in part.slice)
        else:
            allowed = isinstance(part, _PLAIN)
        if not allowed:
            return False
    return True


def _fixed(index: cst.BaseSlice) -> bool:
    """Whether an index is written in numbers: which elements it takes is no question of data."""
    if isinstance(index, cst.Slice):
        bounds = [bound for bound in (index.lower, index.upper, index.step) if bound is not None]
        return all(isinstance(b.expression if isinstance(b, cst.UnaryOperation) else b, cst.Integer) for b in bounds)
    if not isinstance(index, cst.Index) or index.star is not None:
        return False
    value = index.value.expression if isinstance(index.value, cst.UnaryOperation) else index.value
    return isinstance(value, (cst.Integer, cst.Ellipsis)) or dotted(value) == "None"


def _statements(function: cst.FunctionDef) -> Sequence[cst.BaseStatement]:
    if not isinstance(function.body, cst.IndentedBlock):
        raise Refused("a function on one line")
    body = list(function.body.body)
    first = body[0] if body else None
    only = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    docstring = isinstance(only, cst.Expr) and isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString))
    return body[1:] if docstring else body


def _below(tree: Tree, function: cst.FunctionDef, decorator: str, copied: bool) -> Edit:
    lines = tree.text.splitlines()
    body = _statements(function)
    span = tree.span(body[-1]) if body else None
    if span is None:
        raise Refused("an empty function")
    row = span.end.row
    head = f"@{decorator}\ndef _({tree.code(function.params)}):"
    if copied:
        first = tree.span(body[0])
        assert first is not None
        code = lines[first.start.row - 1 : row]
    else:
        code = [
            "    # The result's shape and dtype, without data: `x.new_empty(shape)`, `torch.empty_like(x)`.",
            '    raise NotImplementedError("the fake kernel is to be written")',
        ]
    end = Position(row, len(lines[row - 1]) + 1)
    newline = tree.module.default_newline
    return Edit(Span(end, end), "\n".join(["", "", "", head, *code]).replace("\n", newline))
