"""Example inputs that the text gives for a class: inputs that its author says go together.

They stand where confirm looks for them too: in a comment above the class, under ExportDB's names, or in a call of the
model or of an export function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.parts import parts
from exportdb_rules.rewrite.tree import below, dotted, method, statements, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_COMMENT = re.compile(r"#\s*exportdb:.*?\bargs=(.*)")
_EXPORTS = frozenset(("export", "draft_export"))


def examples(module: cst.Module, owner: cst.ClassDef) -> dict[str, list[cst.BaseExpression]]:
    """The expressions that stand for each parameter of the class's `forward`, by name; the best source first."""
    forward = method(owner, "forward")
    given = [p.name.value for p in parameters(forward)][1:] if forward is not None else []
    found: dict[str, list[cst.BaseExpression]] = {name: [] for name in given}
    for values in _arguments(module, owner, module_names(module)) if given else ():
        for name, value in zip(given, values, strict=False):
            found[name].append(value)
    return found


@once
def module_names(module: cst.Module) -> dict[str, cst.BaseExpression]:
    """What the names of a module are bound to, by plain assignments."""
    return dict(assignments(list(parts(module).of(None))))


def _arguments(
    module: cst.Module, owner: cst.ClassDef, scope: dict[str, cst.BaseExpression]
) -> Iterator[Sequence[cst.BaseExpression]]:
    for line in getattr(owner, "leading_lines", ()):
        match = _COMMENT.match(line.comment.value) if line.comment is not None else None
        if match is not None:
            yield _leading_tuple(match[1])
    shown = scope.get("example_args")
    if isinstance(shown, (cst.Tuple, cst.List)) and makes(scope.get("model"), owner, scope):
        yield [e.value for e in shown.elements]
    for call in _calls_outside_classes(module, owner.name.value):
        if makes(call.func, owner, scope):
            yield [a.value for a in call.args if a.keyword is None and not a.star]
        elif dotted(call.func).rpartition(".")[2] in _EXPORTS and len(call.args) > 1:
            args = _followed(call.args[1].value, scope)
            if makes(call.args[0].value, owner, scope) and isinstance(args, (cst.Tuple, cst.List)):
                yield [e.value for e in args.elements]


def _calls_outside_classes(module: cst.Module, name: str) -> Iterator[cst.Call]:
    """The calls in the module itself, its functions, its `__main__`, where these may know an object of the class of a name."""
    body = parts(module)
    known = any(part.kind is None and name in part.text for part in body.all)
    for statement in body.of(None, cst.FunctionDef) if known else body.mentioning(name, None, cst.FunctionDef):
        yield from _calls(statement)


@once
def _calls(statement: cst.CSTNode) -> Sequence[cst.Call]:
    """The calls in a statement: read once for all classes."""
    return tuple(below(statement, cst.Call, outside=(cst.ClassDef,)))


def _leading_tuple(text: str) -> Sequence[cst.BaseExpression]:
    """The elements of the tuple that a text begins with."""
    depth = 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            try:
                value = cst.parse_expression(text[: index + 1])
            except cst.ParserSyntaxError:
                return ()
            return [e.value for e in value.elements] if isinstance(value, (cst.Tuple, cst.List)) else ()
    return ()


def makes(node: cst.BaseExpression | None, owner: cst.ClassDef, scope: dict[str, cst.BaseExpression]) -> bool:
    """Whether an expression is an object of the class: `Net(3)`, `Net(3).eval()`, a name for one."""
    for _ in range(6):
        if node is None:
            return False
        if isinstance(node, cst.Name):
            node = scope.get(node.value)
        elif isinstance(node, cst.Call):
            if isinstance(node.func, cst.Name):
                return node.func.value == owner.name.value
            node = node.func.value if isinstance(node.func, cst.Attribute) else None
        else:
            return False
    return False


def assignments(body: list[cst.CSTNode]) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Plain assignments to names, of a module or a function and of what an `if __name__ …` in it holds."""
    pending = list(body)
    while pending:
        node = pending.pop(0)
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                if isinstance(small, cst.Assign):
                    for target in small.targets:
                        yield from unpacked(target.target, small.value)
                elif isinstance(small, cst.AnnAssign) and small.value is not None:
                    yield dotted(small.target), small.value
        elif isinstance(node, cst.If):
            pending += statements(node.body)


def _followed(node: cst.BaseExpression, scope: dict[str, cst.BaseExpression]) -> cst.BaseExpression:
    for _ in range(4):
        inner = scope.get(node.value) if isinstance(node, cst.Name) else None
        if inner is None:
            break
        node = inner
    return node
