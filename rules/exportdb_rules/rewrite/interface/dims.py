"""Named dimensions as `Dim.DYNAMIC`, or as torch suggests, at the `dynamic_shapes` of the file.

A named Dim must hold over its whole range; DYNAMIC takes the range that the code leaves it (measured on torch 2.13 for
rounded sizes, slices by them, asserts on sizes, and tables cut to a size).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.known.assignments import assignments, makes, module_names
from exportdb_rules.rewrite.outline import still_parses
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, below, children, dotted, parse, statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Declare the dimension as Dim.DYNAMIC"
SUGGESTED: Final = "Declare the dimensions as suggested by torch: {}"


def named_to_dynamic(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a size that a named Dim does not allow for; () where the file does not declare it, or derives others.

    `unsafe`: eager stays as it is, and the exported program may take fewer sizes than the name promised.
    """
    tree = parse(context.text)
    if tree is None or not context.finding.case.endswith("_named"):
        return ()
    try:
        edits = dim_edits(tree, context.finding.entry.partition(".")[0])
    except FixNotApplicable:
        return ()
    if not edits or not still_parses(context.text, edits):
        return ()
    return (Fix(TITLE, Applicability.UNSAFE, edits, preferred=True),)


def dim_edits(tree: Tree, class_name: str) -> tuple[Edit, ...]:
    """The edits that make every named Dim of a class's `dynamic_shapes` dynamic.

    Raises:
        FixNotApplicable: the class has none in this file, or a dimension is computed from another.
    """
    owner = next((s for s in tree.module.body if isinstance(s, cst.ClassDef) and s.name.value == class_name), None)
    if owner is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the class is not defined in this file")
    found: dict[int, cst.Call] = {}
    for spec, scope in _specs(tree.module, owner):
        for node in _below(spec, scope):
            if isinstance(node, cst.BinaryOperation):
                raise FixNotApplicable(NoFix.NO_DIM_RELATION, "a dimension is computed from another")
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


def as_suggested(text: str, suggested: Mapping[str, str]) -> Fix | None:
    """The fix that torch suggests where the code does not hold for the named Dims of the text as they are.

    `unsafe`: eager stays as it is, and the exported program takes fewer sizes than the names promised.

    Args:
        suggested: what a failed export said, by name: `"8"`, `"4*_rows"`, `"Dim('rows', max=16)"`.
    """
    tree = parse(text)
    if tree is None or not suggested:
        return None
    declared: dict[str, list[cst.Call]] = {}
    for call in below(tree.module, cst.Call):
        first = call.args[0].value if call.args else None
        if dotted(call.func).rpartition(".")[2] == "Dim" and isinstance(first, cst.SimpleString):
            declared.setdefault(str(first.evaluated_value), []).append(call)
    edits: list[Edit] = []
    told: list[str] = []
    try:
        for name, wanted in suggested.items():
            for call in declared.get(name, ()):
                span = tree.span(call)
                assert span is not None
                edits.append(Edit(span, _Names(tree, suggested, declared, tree.code(call.func)).declaration(wanted)))
                told.append(f"{name} = {wanted}")
    except (FixNotApplicable, cst.ParserSyntaxError):
        return None
    every = tuple(sorted(edits, key=lambda e: e.span))
    if not every or not still_parses(text, every):
        return None
    return Fix(SUGGESTED.format(", ".join(dict.fromkeys(told))), Applicability.UNSAFE, every)


def as_dynamic(text: str, class_name: str) -> Fix | None:
    """Every named Dim of a class as `Dim.DYNAMIC`: for code that holds for sizes which no named Dim can say.

    `unsafe`: eager stays as it is, and the exported program may take fewer sizes than the names promised.
    """
    tree = parse(text)
    if tree is None:
        return None
    try:
        edits = dim_edits(tree, class_name)
    except FixNotApplicable:
        return None
    return Fix(TITLE, Applicability.UNSAFE, edits) if edits and still_parses(text, edits) else None


@dataclass(frozen=True)
class _Names:
    """How suggestions are written down: `kind` is the text's word for Dim, `declared` the Dims that it has by name."""

    tree: Tree
    suggested: Mapping[str, str]
    declared: Mapping[str, list[cst.Call]]
    kind: str

    def declaration(self, wanted: str) -> str:
        """What stands for a Dim; a number is a static size."""
        node = cst.parse_expression(wanted)
        return "None" if isinstance(node, cst.Integer) else self._written(node)

    def _written(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.Integer):
            return node.value
        if isinstance(node, cst.Call):
            return self._bounded(node)
        if isinstance(node, cst.Name):
            given = self.suggested.get(node.value, "")
            if given.startswith("Dim("):
                return self._written(cst.parse_expression(given))
            if given:
                raise FixNotApplicable(NoFix.NO_DIM_RELATION, "one suggestion rests on another")
            known = self.declared.get(node.value)
            return self.tree.code(known[0]) if known else f'{self.kind}("{node.value}")'
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply)):
            sign = self.tree.code(node.operator).strip()
            return f"{self._written(node.left)} {sign} {self._written(node.right)}"
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a suggestion of an unknown form")

    def _bounded(self, node: cst.Call) -> str:
        name = node.args[0].value
        if not isinstance(name, cst.SimpleString):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a suggestion of an unknown form")
        bounds = [(a.keyword.value, self.tree.code(a.value)) for a in node.args[1:] if a.keyword is not None]
        # Export takes a size for 2 or more: `min=1` would promise a size that the program refuses (torch 2.13).
        told = [
            (key, value) for key, value in bounds if value != "oo" and (key, value) not in (("min", "0"), ("min", "1"))
        ]
        code = [f'"{name.evaluated_value}"', *[f"{key}={value}" for key, value in told]]
        return f"{self.kind}({', '.join(code)})"


def _specs(
    module: cst.Module, owner: cst.ClassDef
) -> Iterator[tuple[cst.BaseExpression, dict[str, cst.BaseExpression]]]:
    """The values of `dynamic_shapes` for a class: beside `model`, or given to an export function; with what names mean
    there, those of the function around it among them."""
    own = module_names(module)
    if makes(own.get("model"), owner, own) and "dynamic_shapes" in own:
        yield own["dynamic_shapes"], own
    for statement in module.body:
        scope = own
        if isinstance(statement, cst.FunctionDef):
            scope = {**own, **dict(assignments(list(statements(statement.body))))}
        for call in below(statement, cst.Call):
            if call.args and dotted(call.func).rpartition(".")[2] in ("export", "draft_export"):
                given = next((a.value for a in call.args if a.keyword and a.keyword.value == "dynamic_shapes"), None)
                if given is not None and makes(call.args[0].value, owner, scope):
                    yield given, scope


def _below(node: cst.CSTNode, scope: dict[str, cst.BaseExpression], depth: int = 0) -> Iterator[cst.CSTNode]:
    """The nodes of a specification, the values of the names in it included."""
    yield node
    if isinstance(node, cst.Name) and depth < 6 and node.value in scope:
        yield from _below(scope[node.value], scope, depth + 1)
    if isinstance(node, cst.Call):
        return
    for child in children(node):
        yield from _below(child, scope, depth)
