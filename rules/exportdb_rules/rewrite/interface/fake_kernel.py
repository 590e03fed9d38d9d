"""The fake kernel of a custom operator: what tracing is told of its result's shape.

A kernel that is made of torch's own operators, none of which looks at data, runs on fake tensors as it stands
(measured on torch 2.13, in both modes), so its own code tells the shape. Of any other kernel only its author knows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.imports import torch_name
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.outline import still_parses
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, below, dotted, parse
from exportdb_rules.torch_api import of_operator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Register a fake kernel"
STUB: Final = "Register a fake kernel stub to fill in"

_PLAIN: Final = (
    cst.Integer, cst.Float, cst.BinaryOperation, cst.UnaryOperation, cst.Tuple, cst.List, cst.SimpleString, cst.Ellipsis,
)  # fmt: skip
# `len` of a fake tensor is a plain number: the size would be a constant (measured on torch 2.13).
_LENGTH: Final = re.compile(r"\blen\((\w+)\)")
# Attributes of tensors that tracing knows.
_KNOWN: Final = frozenset(("shape", "dtype", "device", "ndim", "T", "mT", "indices", "values"))


def fake_kernel(context: FixContext) -> tuple[Fix, ...]:
    """A fake kernel below the operator's own: a copy of it where that serves, else a stub. `safe`: eager never runs it."""
    tree = parse(context.text)
    if tree is None:
        return ()
    try:
        function, registration, behind = _kernel(tree, context)
        copied = _traceable(tree, function)
        if behind is not None and copied and _LENGTH.search(tree.code(function.body)) is None:
            edit = _after(tree, behind, f"{registration[:-1]}, {function.name.value})")
        else:
            edit = _below(tree, behind or function, function, registration, copied)
    except FixNotApplicable:
        return ()
    if not still_parses(context.text, (edit,)) or any(name.value == "_" for name in below(tree.module, cst.Name)):
        return ()
    if copied:
        return (Fix(TITLE, Applicability.SAFE, (edit,), preferred=True, any_types=True),)
    return (Fix(STUB, Applicability.UNSAFE, (edit,), optional=True),)


def _kernel(tree: Tree, context: FixContext) -> tuple[cst.FunctionDef, str, cst.BaseStatement | None]:
    """The function that computes the operator which a finding calls, the decorator of its fake kernel, and the statement
    that registers the function, if it is no decorator of its own."""
    path = tree.path(context.finding.span)
    call = path[-1] if path else None
    if not isinstance(call, cst.Call):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "there is no call at this place")
    called = dotted(call.func)
    namespace, _, operator = called.partition("ops.")[2].partition(".")
    operator = operator.partition(".")[0]
    registered = f'{torch_name(tree)}.library.register_fake("{namespace}::{operator}")'
    functions = {f.name.value: f for f in tree.module.body if isinstance(f, cst.FunctionDef)}
    for function in functions.values():
        for decorator in function.decorators:
            made = decorator.decorator
            if not isinstance(made, cst.Call):
                continue
            kind = dotted(made.func).rpartition(".")[2]
            ours = f"{namespace}::{operator}" in _strings(made)
            if kind == "custom_op" and (called == function.name.value or ours) and _mutates_nothing(made):
                if decorator is not function.decorators[0]:
                    raise FixNotApplicable(
                        NoFix.CLASS_HIERARCHY, "another decorator makes something else of the operator"
                    )
                return function, f"{function.name.value}.register_fake", None
            if kind == "impl" and (ours or operator in _strings(made)):
                return function, registered, None
    for statement in tree.module.body:
        only = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        made = only.value if isinstance(only, cst.Expr) else None
        if isinstance(made, cst.Call) and dotted(made.func).endswith(".impl") and operator in _strings(made):
            named = next((functions[n] for arg in made.args if (n := dotted(arg.value)) in functions), None)
            if named is not None:
                return named, registered, statement
    raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the operator's code is elsewhere")


def _strings(made: cst.Call) -> list[object]:
    """The literal names among the first arguments of a registration."""
    return [a.value.evaluated_value for a in made.args[:2] if isinstance(a.value, cst.SimpleString)]


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


def _traceable_operator(name: str) -> bool:
    """Whether an operator gives tensors, and looks at no data for it."""
    api = of_operator(name)
    known = (
        api is not None and not (api.data or api.dynamic) and any("T" in code or code == "L" for code in api.returns)
    )
    return (known and name != "index_put") or name == "where"


def _allowed(node: cst.BaseExpression, known: set[str], torch: str) -> bool:
    parts = list(below(node, cst.BaseExpression))
    # The names of attributes and of keywords are no variables.
    words = {id(part.attr) for part in parts if isinstance(part, cst.Attribute)}
    words |= {id(arg.keyword) for arg in below(node, cst.Arg)}
    called = {id(part.func) for part in parts if isinstance(part, cst.Call)}
    for part in parts:
        if isinstance(part, cst.Name):
            allowed = id(part) in words or part.value in known | {torch, "True", "False", "None", "len"}
        elif isinstance(part, cst.Attribute):
            allowed = id(part) in called or part.attr.value in _KNOWN or dotted(part).partition(".")[0] == torch
        elif isinstance(part, cst.Call):
            name = part.func.attr.value if isinstance(part.func, cst.Attribute) else dotted(part.func)
            # What writes in place writes what the kernel made: an operator that changes its arguments is not asked.
            allowed = _traceable_operator(name.removesuffix("_")) and not any(arg.star for arg in part.args)
            if name == "len":
                allowed = _LENGTH.fullmatch(f"len({dotted(part.args[0].value)})") is not None
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
        raise FixNotApplicable(NoFix.SHARED_LINE, "a function on one line")
    body = list(function.body.body)
    first = body[0] if body else None
    only = first.body[0] if isinstance(first, cst.SimpleStatementLine) else None
    docstring = isinstance(only, cst.Expr) and isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString))
    return body[1:] if docstring else body


def _after(tree: Tree, statement: cst.BaseStatement, line: str) -> Edit:
    """A line behind a statement of the file."""
    span = tree.span(statement)
    assert span is not None
    return Edit(Span(span.end, span.end), tree.module.default_newline + line)


def _below(tree: Tree, statement: cst.BaseStatement, function: cst.FunctionDef, decorator: str, copied: bool) -> Edit:
    """The fake kernel of a function, behind a statement of the file: a copy of the function, or a stub."""
    lines = lines_of(tree.text)
    body = _statements(function)
    span = tree.span(body[-1] if statement is function and body else statement)
    if span is None or not body:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an empty function")
    head = f"@{decorator}\ndef _({tree.code(function.params)}):"
    if copied:
        first, last = tree.span(body[0]), tree.span(body[-1])
        assert first is not None
        assert last is not None
        rows = range(first.start.row, last.end.row + 1)
        code = [_LENGTH.sub(r"\1.shape[0]", lines.line(row)) for row in rows]
    else:
        code = [
            "    # The result's shape and dtype, without data: `x.new_empty(shape)`, `torch.empty_like(x)`.",
            '    raise NotImplementedError("the fake kernel is to be written")',
        ]
    row = span.end.row
    end = Position(row, len(lines.line(row)) + 1)
    newline = tree.module.default_newline
    return Edit(Span(end, end), "\n".join(["", "", "", head, *code]).replace("\n", newline))
