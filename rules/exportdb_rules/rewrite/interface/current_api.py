"""Names of export's interface that came and went, as what torch 2.13 has in their place.

All of these are `unsafe` to apply blindly: the old names meant slightly different things in different versions.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.imports import torch_import, torch_name
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.outline import first_rows, rewritten, still_parses
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, children, dotted, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.finding import Span
    from exportdb_rules.rewrite.context import FixContext

Swaps = list[tuple[cst.CSTNode, "cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]"]]
Path = tuple[cst.CSTNode, ...]

_HOMES: Final = {
    "functorch.experimental.control_flow.cond": ("torch", "cond"),
    "functorch.experimental.control_flow.map": ("torch._higher_order_ops", "map"),
}
_CALLS: Final = ("capture_pre_autograd_graph", "export_for_training")
_RANGES: Final = ("_constrain_as_value", "_constrain_as_size", "_check_is_size", "sym_constrain_range")


def to_current_api(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a use of an old name, with all the uses that go with it; () where one of them is unusual."""
    tree = parse(context.text)
    if tree is None:
        return ()
    try:
        swaps, what = _swaps(tree, context)
    except FixNotApplicable:
        return ()
    edits = rewritten(tree, swaps)
    if not edits:
        return ()
    every = tuple(sorted((*torch_import(tree), *edits), key=lambda e: e.span))
    if not still_parses(context.text, every):
        return ()
    return (Fix(f"Use {what}", Applicability.UNSAFE, every, preferred=True),)


def _swaps(tree: Tree, context: FixContext) -> tuple[Swaps, str]:
    path = _path(tree, context.finding.span)
    node = path[-1]
    torch = torch_name(tree)
    if isinstance(node, cst.ImportFrom):
        return _imported(tree, path, node, torch)
    if isinstance(node, cst.Attribute):
        return _named(tree, path, node, torch)
    if isinstance(node, cst.Call) and context.finding.case == "export_of_function":
        return _of_function(tree, node, torch), "a module around the function"
    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "nothing that is known")


def _path(tree: Tree, span: Span) -> Path:
    """The path to the import, attribute or call at a place."""
    found: list[Path] = []
    index = bisect_right(first_rows(tree, tree.module), span.start.row) - 1
    stack: list[Path] = [(tree.module, tree.module.body[index])] if index >= 0 else []
    while stack:
        path = stack.pop()
        node = path[-1]
        if tree.span(node) == span and isinstance(node, (cst.ImportFrom, cst.Attribute, cst.Call)):
            found.append(path)
        stack += [(*path, child) for child in children(node)]
    if not found:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "there is nothing at this place")
    return max(found, key=len)


def _occurrences(node: cst.CSTNode, name: str, path: Path = ()) -> Iterator[Path]:
    """The paths to all uses of a name as a variable."""
    path = (*path, node)
    if isinstance(node, cst.Name):
        if node.value == name:
            yield path
        return
    below = [node.value] if isinstance(node, (cst.Attribute, cst.Arg)) else children(node)
    for child in below:
        if not isinstance(node, (cst.Import, cst.ImportFrom)):
            yield from _occurrences(child, name, path)


# --- names that are imported -------------------------------------------------------------------------------------------


def _imported(tree: Tree, path: Path, node: cst.ImportFrom, torch: str) -> tuple[Swaps, str]:
    if node.module is None or isinstance(node.names, cst.ImportStar):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "everything is imported")
    module = dotted(node.module)
    swaps: Swaps = []
    kept: list[cst.ImportAlias] = []
    home: tuple[str, str] | None = None
    what = ""
    for alias in node.names:
        name = dotted(alias.name)
        bound = dotted(alias.asname.name) if alias.asname is not None else name
        if f"{module}.{name}" in _HOMES:
            home = _HOMES[f"{module}.{name}"]
            what = f"`{home[0]}.{home[1]}`"
        elif name in _CALLS:
            swaps += [_export_call(found, name, torch) for found in _occurrences(tree.module, bound)]
            what = "`torch.export.export`"
        else:
            kept.append(alias)
    if home is not None:
        if len(node.names) != 1:
            raise FixNotApplicable(NoFix.SHARED_LINE, "several names are imported at once")
        parsed = cst.ensure_type(cst.parse_statement(f"from {home[0]} import {home[1]}"), cst.SimpleStatementLine)
        new = cst.ensure_type(parsed.body[0], cst.ImportFrom)
        (alias,) = node.names
        return [(node, new.with_changes(names=[alias]))], what
    if not what:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an old name")
    if kept:
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return [*swaps, (node, node.with_changes(names=kept))], what
    line = path[-2]
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    return [*swaps, (line, cst.RemoveFromParent())], what


def _export_call(path: Path, name: str, torch: str) -> tuple[cst.CSTNode, cst.CSTNode]:
    """A call of what `torch.export.export` replaces."""
    call = path[-2]
    if not isinstance(call, cst.Call) or call.func is not path[-1]:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the name is not called")
    return call, _exported(call, name, torch)


def _exported(call: cst.Call, name: str, torch: str) -> cst.BaseExpression:
    if any(a.keyword is not None and a.keyword.value == "constraints" for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "constraints of another time")
    new = call.with_changes(func=cst.parse_expression(f"{torch}.export.export"))
    # The graph that was captured could be called; a program is called through its module.
    return cst.Call(cst.Attribute(new, cst.Name("module"))) if name == _CALLS[0] else new


# --- names that are spelled out -----------------------------------------------------------------------------------------


def _named(tree: Tree, path: Path, node: cst.Attribute, torch: str) -> tuple[Swaps, str]:
    name = node.attr.value
    above = path[-2]
    if name in _CALLS:
        if not isinstance(above, cst.Call) or above.func is not node:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the name is not called")
        return [(above, _exported(above, name, torch))], "`torch.export.export`"
    if name in _RANGES:
        return _checks(tree, path, name, torch), "`torch._check`"
    home = next((home for full, home in _HOMES.items() if full.rpartition(".")[2] == name), None)
    if home is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an old name")
    return [(node, cst.parse_expression(f"{home[0].replace('torch', torch, 1)}.{home[1]}"))], f"`{home[0]}.{home[1]}`"


def _checks(tree: Tree, path: Path, name: str, torch: str) -> Swaps:
    """`torch._constrain_as_value(n, min=0, max=16)` as one `torch._check` for each bound."""
    if len(path) < 5:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the name is not called for itself")
    block, line, expression, call, node = path[-5:]
    if not isinstance(call, cst.Call) or call.func is not node or not isinstance(expression, cst.Expr):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the name is not called for itself")
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1 or not call.args:
        raise FixNotApplicable(NoFix.SHARED_LINE, "several statements on one line")
    order = {
        "_constrain_as_value": ("min", "max"),
        "_constrain_as_size": ("min", "max"),
        "_check_is_size": ("message",),
        "sym_constrain_range": (),
    }[name]
    given: dict[str, str] = {}
    for position, arg in enumerate(call.args[1:]):
        key = arg.keyword.value if arg.keyword is not None else order[position] if position < len(order) else ""
        if arg.star or key not in ("min", "max", "message"):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
        given[key] = tree.code(arg.value)
    value = call.args[0].value
    if call.args[0].star or call.args[0].keyword is not None or not dotted(value):
        raise FixNotApplicable(NoFix.EVALUATION_ORDER, "the number is computed in the call")
    shown = dotted(value)
    low = given.get("min", "0" if "size" in name else "None")
    tests = [
        f"{shown} {sign} {bound}" for sign, bound in ((">=", low), ("<=", given.get("max", "None"))) if bound != "None"
    ]
    if not tests:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no bound is given")
    smalls = [
        cst.ensure_type(cst.parse_statement(f"{torch}._check({test})"), cst.SimpleStatementLine) for test in tests
    ]
    smalls[0] = smalls[0].with_changes(leading_lines=line.leading_lines)
    smalls[-1] = smalls[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the call is not in a block")
    body: list[cst.CSTNode] = []
    for statement in block.body:
        body += smalls if statement is line else [statement]
    return [(block, block.with_changes(body=body))]


# --- the call of export ------------------------------------------------------------------------------------------------


def _of_function(tree: Tree, call: cst.Call, torch: str) -> Swaps:
    """`export(f, args)` as the export of a module whose forward calls f."""
    first = call.args[0].value
    if not isinstance(first, cst.Name):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a name of a function")
    found = [s for s in tree.module.body if isinstance(s, cst.FunctionDef) and s.name.value == first.value]
    if len(found) != 1:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the function is defined elsewhere")
    (function,) = found
    p = function.params
    if p.kwonly_params or isinstance(p.star_arg, cst.Param) or p.star_kwarg is not None or p.posonly_params:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported parameters")
    name = "".join(part.capitalize() for part in first.value.split("_")) + "Module"
    if any(True for _ in _occurrences(tree.module, name)):
        raise FixNotApplicable(NoFix.NAME_CLASH, "a name is taken")
    shown = [
        tree.module.code_for_node(q.with_changes(annotation=None, comma=cst.MaybeSentinel.DEFAULT))
        for q in parameters(function)
    ]
    given = ", ".join(q.name.value for q in parameters(function))
    text = (
        f"class {name}({torch}.nn.Module):\n"
        f"    def forward({', '.join(['self', *shown])}):\n"
        f"        return {first.value}({given})\n"
    )
    made = cst.ensure_type(cst.parse_statement(text), cst.ClassDef)
    lines = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    module = cst.Call(cst.Name(name))
    changed = cst.ensure_type(function.deep_replace(first, module), cst.FunctionDef)
    # Where the function calls for itself, its own change counts; else that of the call.
    return [
        (first, module),
        (function, cst.FlattenSentinel([changed, made.with_changes(leading_lines=lines)])),
    ]
