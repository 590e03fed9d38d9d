"""Named dimensions as `Dim.DYNAMIC`, at the `dynamic_shapes` of the file.

A named Dim must hold over its whole range; DYNAMIC takes the range that the code leaves it (measured on torch 2.13 for
rounded sizes, slices by them, asserts on sizes, and tables cut to a size).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.examples import makes, module_names
from exportdb_rules.rewrite.finished import parses
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import Tree, below, children, dotted, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Declare the dimension as Dim.DYNAMIC"


def named_to_dynamic(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a size that a named Dim does not allow for; () where the file does not declare it, or derives others.

    `unsafe`: eager stays as it is, and the exported program may take fewer sizes than the name promised.
    """
    tree = parse(context.text)
    if tree is None or not context.finding.case.endswith("_named"):
        return ()
    try:
        edits = dim_edits(tree, context.finding.entry.partition(".")[0])
    except Refused:
        return ()
    if not edits or not parses(apply(context.text, edits)):
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),)


def dim_edits(tree: Tree, class_name: str) -> tuple[Edit, ...]:
    """The edits that make every named Dim of a class's `dynamic_shapes` dynamic.

    Raises:
        Refused: the class has none in this file, or a dimension is computed from another.
    """
    owner = next((s for s in tree.module.body if isinstance(s, cst.ClassDef) and s.name.value == class_name), None)
    if owner is None:
        raise Refused("the class is not defined in this file")
    scope = module_names(tree.module)
    specs = list(_specs(tree.module, owner, scope))
    found: dict[int, cst.Call] = {}
    for spec in specs:
        for node in _below(spec, scope):
            if isinstance(node, cst.BinaryOperation):
                raise Refused("a dimension is computed from another")
            if isinstance(node, cst.Call) and dotted(node.func).rpartition(".")[2] == "Dim":
                found[id(node)] = node
    edits: list[Edit] = []
    for call in found.values():
        span = tree.span(call)
        assert span is not None
        bounds = [a for a in call.args if a.keyword is not None]
        code = f"{tree.code(call.func)}.DYNAMIC"
        if bounds:
            code += f"({', '.join(tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in bounds)})"
        edits.append(Edit(span, code))
    return tuple(sorted(edits, key=lambda e: e.span))


def _specs(
    module: cst.Module, owner: cst.ClassDef, scope: dict[str, cst.BaseExpression]
) -> Iterator[cst.BaseExpression]:
    """The values of `dynamic_shapes` for a class: beside `model`, or given to an export function."""
    if makes(scope.get("model"), owner, scope) and "dynamic_shapes" in scope:
        yield scope["dynamic_shapes"]
    for call in below(module, cst.Call):
        if call.args and dotted(call.func).rpartition(".")[2] in ("export", "draft_export"):
            given = next((a.value for a in call.args if a.keyword and a.keyword.value == "dynamic_shapes"), None)
            if given is not None and makes(call.args[0].value, owner, scope):
                yield given


def _below(node: cst.CSTNode, scope: dict[str, cst.BaseExpression], depth: int = 0) -> Iterator[cst.CSTNode]:
    """The nodes of a specification, the values of the names in it included."""
    yield node
    if isinstance(node, cst.Name) and depth < 6 and node.value in scope:
        yield from _below(scope[node.value], scope, depth + 1)
    if isinstance(node, cst.Call):
        return
    for child in children(node):
        yield from _below(child, scope, depth)
