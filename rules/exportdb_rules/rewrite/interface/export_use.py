"""Calls of export functions, and of what they return, changed to what export requires.

What is wrong is found again in the text (`exportdb_rules.api_use`), because a fix needs more of it than a finding tells:
which names are inputs, which expression is exported. Only what is written out in the same file is edited.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from exportdb_rules.api_use import api_uses
from exportdb_rules.definitions import ClassInfo, positional_count
from exportdb_rules.export_calls import Scope, export_calls, exported
from exportdb_rules.facts import TENSOR, ArgumentMismatch, ProgramMisused
from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.interpreter.machine import AnalysisState
from exportdb_rules.namespaces import namespaces
from exportdb_rules.no_fix import NoFix
from exportdb_rules.project import Project
from exportdb_rules.rewrite.interface.source_file import SourceFile
from exportdb_rules.rewrite.outline import valid_edits
from exportdb_rules.rewrite.refusal import FixNotApplicable

if TYPE_CHECKING:
    from exportdb_rules.definitions import Module
    from exportdb_rules.rewrite.context import FixContext

_Made = tuple[str, list[Edit]]
_TUPLE_END: Final = re.compile(r"\s*,\s*\)")


def use_fixes(context: FixContext) -> tuple[Fix, ...]:
    """The fix for a call that does not fit the model, or for what is done with an ExportedProgram; () where it is not known
    what was meant.

    `unsafe`: the statement raises as it is, so that nothing can rest on what it gives; but what a name stands for is read
    from its last assignment.
    """
    try:
        file = _read(context.finding.filename, context.text)
        title, edits = _mended(file, context.finding.span)
    except FixNotApplicable:
        return ()
    every = valid_edits(context.text, edits)
    return (Fix(title, Applicability.UNSAFE, every, preferred=True),) if every else ()


@dataclass
class _File(SourceFile):
    """A text with what is wrong in it."""

    facts: list[ArgumentMismatch | ProgramMisused]
    scopes: dict[int, Module] = field(default_factory=dict[int, "Module"])

    def __post_init__(self) -> None:
        super().__post_init__()
        for local in namespaces(self.module).values():
            for node in ast.walk(ast.Module(local.body, [])):
                self.scopes[id(node)] = local

    def behind(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts a text behind a node."""
        end = self.span(node).end
        return Edit(Span(end, end), text)

    def scope(self, node: ast.expr) -> Scope:
        return Scope(self.scopes.get(id(node), self.module), node.lineno)


@lru_cache(maxsize=2)
def _read(filename: str, text: str) -> _File:
    """A text, which the findings in it share.

    Raises:
        FixNotApplicable: it does not parse.
    """
    project = Project()
    project.set_text(filename, text)
    module = project.whole(filename)
    if module is None or module.problem is not None:
        raise FixNotApplicable(NoFix.NOT_PARSED, "the text does not parse")
    facts = [
        fact
        for fact in api_uses(AnalysisState(project), module)
        if isinstance(fact, (ArgumentMismatch, ProgramMisused))
    ]
    return _File(module, facts)


def _mended(file: _File, span: Span) -> _Made:
    fact = next((fact for fact in file.facts if file.span(fact.site.node) == span), None)
    if isinstance(fact, ProgramMisused):
        assert isinstance(fact.site.node, ast.Call)
        if fact.kind == "call":
            return "Call `module()` of the ExportedProgram", [file.behind(fact.site.node.func, ".module()")]
        return _mode_before_export(file, fact.site.node)
    if fact is None or not isinstance(fact.site.node, ast.expr):
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the model or its inputs are not known from this file alone")
    node, parts = fact.site.node, fact.parts
    if fact.kind == "args-type":
        return _as_tuple(file, node, parts[0])
    if fact.kind == "shapes-keys":
        return _with_keys(file, node, *[part.split(", ") if part else [] for part in parts])
    if fact.kind == "shapes-count":
        return _with_count(file, node, int(parts[1]) - int(parts[0]))
    if fact.kind == "same-tensor":
        return f"Pass a copy of `{parts[0]}`", [file.behind(node, ".clone()")]
    if fact.kind == "text" and isinstance(node, ast.Constant) and file.module.mentions("torch"):
        return "Declare the dimension by a Dim", [Edit(file.span(node), f"torch.export.Dim({file.code(node)})")]
    if fact.kind in ("not-a-tensor", "empty-entry") and isinstance(
        file.parents.get(id(node)), (ast.Dict, ast.Tuple, ast.List)
    ):
        return f"Declare `{parts[0]}` as static", [Edit(file.span(node), "None")]
    if fact.kind == "negative-axis":
        return _counted_from_the_front(file, node, int(parts[1]), int(parts[2]))
    if fact.kind == "shapes-nesting":
        return _nested(file, node, parts[0], parts[2])
    if fact.kind == "shapes-none":
        return _static(file, node, parts[0], parts[2])
    if fact.kind == "shapes-type" and isinstance(node, (ast.Tuple, ast.List)):
        return f"Declare `{parts[0]}` by a {parts[1]}", _as_sequence(file, node, parts[1])
    if fact.kind == "rank" and int(parts[1]) < int(parts[2]):
        left = int(parts[2]) - int(parts[1])
        dimensions = "dimension" if left == 1 else f"{left} dimensions"
        return f"Declare the last {dimensions} of `{parts[0]}` as static", _lengthened(file, node, left)
    if fact.kind == "size" and isinstance(file.parents.get(id(node)), (ast.Dict, ast.Tuple, ast.List)):
        return f"Declare `{parts[0]}` as {parts[2]}", [Edit(file.span(node), parts[2])]
    if fact.kind == "range":
        return _in_range(file, fact)
    raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "only the author knows what was meant")


# --- what an export returns --------------------------------------------------------------------------------------------


def _mode_before_export(file: _File, call: ast.Call) -> _Made:
    """`program.eval()` or `program.module().eval()` as `eval` of the model, before it is exported."""
    assert isinstance(call.func, ast.Attribute)
    mode, holder = call.func.attr, call.func.value
    if call.args or call.keywords:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the mode is computed")
    scope = file.scope(holder)
    made = scope.follow(holder)
    if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr == "module":
        made = scope.follow(made.func.value)
    model = _exported(made)
    if model is None or not isinstance(model, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the model is not exported in this file")
    edits: list[Edit] = []
    last = model.func.attr if isinstance(model, ast.Call) and isinstance(model.func, ast.Attribute) else ""
    if last in ("eval", "train") and last != mode:
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the model is exported in another mode on purpose")
    if last != mode:
        edits.append(file.behind(model, f".{mode}()"))
    above = file.parents.get(id(call))
    if isinstance(above, ast.Expr):
        edits.append(file.without(above))
    else:
        edits.append(Edit(Span(file.span(holder).end, file.span(call).end), ""))
    return f"Call `{mode}` on the model before export", edits


def _exported(call: ast.expr) -> ast.expr | None:
    """What a call of an export function exports."""
    if not isinstance(call, ast.Call) or (isinstance(call.func, ast.Attribute) and call.func.attr == "load"):
        return None
    named = next((keyword.value for keyword in call.keywords if keyword.arg in ("mod", "model")), None)
    return call.args[0] if call.args and not isinstance(call.args[0], ast.Starred) else named


# --- what an export is given -------------------------------------------------------------------------------------------


def _as_tuple(file: _File, node: ast.expr, kind: str) -> _Made:
    """`args` as a tuple of the positional inputs."""
    call = next((call for call in export_calls(file.module) if call.args is node), None)
    target = None if call is None else exported(call.scope, call.model)
    forward = target.find("forward", Project()) if isinstance(target, ClassInfo) else None
    if call is None or forward is None:
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "the signature of the model is not known")
    least, most = positional_count(forward)
    takes_one = least <= 1 and most != 0
    title = "Pass a tuple of inputs"
    if kind == "a list":
        made = call.scope.follow(node)
        count = len(made.elts) if isinstance(made, ast.List) else None
        if any(isinstance(part, ast.Starred) for part in getattr(made, "elts", ())):
            count = None
        if count is None or not least <= count or (most is not None and count > most):
            if count is None or not takes_one:
                raise FixNotApplicable(
                    NoFix.NEEDS_AUTHOR, "it is not known whether the list is the inputs or one of them"
                )
        elif made is node and isinstance(made, ast.List):
            return title, _as_sequence(file, made, "tuple")
        else:
            return title, [_before(file, node, "tuple("), file.behind(node, ")")]
    if kind == "a dict":
        made = call.scope.follow(node)
        keys = made.keys if isinstance(made, ast.Dict) else [None]
        names = {argument.arg for argument in forward.node.args.args}
        if any(not isinstance(key, ast.Constant) or key.value in names for key in keys):
            raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the dict may be the keyword arguments")
    if not takes_one:
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "the model takes more than one input")
    return title, [_before(file, node, "("), file.behind(node, ",)")]


def _before(file: _File, node: ast.expr, text: str) -> Edit:
    start = file.span(node).start
    return Edit(Span(start, start), text)


def _as_sequence(file: _File, node: ast.Tuple | ast.List, kind: str) -> list[Edit]:
    """A list or tuple that is written out, as a tuple or list."""
    span = file.span(node)
    code = file.code(node)
    if code[0] not in "[(":
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "a tuple without parentheses")
    opened = Span(span.start, Position(span.start.row, span.start.column + 1))
    closed = Span(Position(span.end.row, span.end.column - 1), span.end)
    if kind == "list":
        return [Edit(opened, "["), Edit(closed, "]")]
    comma = len(node.elts) == 1 and not code[:-1].rstrip().endswith(",")
    return [Edit(opened, "("), Edit(closed, ",)" if comma else ")")]


def _with_keys(file: _File, node: ast.expr, missing: list[str], unknown: list[str]) -> _Made:
    """A dict of `dynamic_shapes` with an entry for each input, and no other."""
    shapes = file.scope(node).follow(node)
    if not isinstance(shapes, ast.Dict) or not shapes.keys:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the dict is not written out")
    keys = {key.value: (index, key) for index, key in enumerate(shapes.keys) if isinstance(key, ast.Constant)}
    if len(keys) != len(shapes.keys) or any(name not in keys for name in unknown):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the dict is not written out")
    if not unknown:
        entries = "".join([f', "{name}": None' for name in missing])
        return f"Declare {_quoted(missing)} as static", [file.behind(shapes.values[-1], entries)]
    if len(missing) == len(unknown) == 1:
        _, key = keys[unknown[0]]
        quote = file.code(key)[0]
        if quote not in "\"'":
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the key is an unusual string")
        return f"Rename {_quoted(unknown)} to {_quoted(missing)}", [Edit(file.span(key), f"{quote}{missing[0]}{quote}")]
    if missing or len(unknown) == len(keys):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known which input is meant")
    edits: list[Edit] = []
    for index, _ in [keys[name] for name in unknown]:
        start = file.span(shapes.values[index - 1]).end if index else file.span(shapes.keys[0] or shapes).start
        end = file.span(shapes.values[index]).end if index else file.span(shapes.keys[1] or shapes).start
        edits.append(Edit(Span(start, end), ""))
    return f"Remove the entry of {_quoted(unknown)}", edits


def _quoted(names: list[str]) -> str:
    return " and ".join([f"`{name}`" for name in names])


def _with_count(file: _File, node: ast.expr, left: int) -> _Made:
    """A tuple of `dynamic_shapes` with an entry for each input."""
    if left < 1:
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known which input is meant")
    title = "Declare the last input as static" if left == 1 else f"Declare the last {left} inputs as static"
    return title, _lengthened(file, file.scope(node).follow(node), left)


def _lengthened(file: _File, entries: ast.expr, left: int) -> list[Edit]:
    """A tuple of entries with so many more at its end, of what is static."""
    if not isinstance(entries, (ast.Tuple, ast.List)) or not entries.elts:
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the tuple is not written out")
    if any(isinstance(part, ast.Starred) for part in entries.elts):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the tuple is not written out")
    last, none = entries.elts[-1], ", None" * left
    rest = Span(file.span(last).end, file.span(entries).end)
    if rest.start.row == rest.end.row:
        # A tuple of one ends with a comma that one of several does not need.
        tail = file.module.lines.rows[rest.start.row - 1][rest.start.column - 1 : rest.end.column - 1]
        if _TUPLE_END.fullmatch(tail):
            return [Edit(rest, f"{none})")]
    return [file.behind(last, none)]


def _nested(file: _File, node: ast.expr, name: str, structure: str) -> _Made:
    """The entry of axes for an input, once for each tensor in it."""
    if structure:
        code = file.code(node)
        if not isinstance(node, (ast.Dict, ast.Name)) or "\n" in code or structure == TENSOR:
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the entry is not written out on one line")
        return f"Declare each tensor of `{name}`", [Edit(file.span(node), structure.replace(TENSOR, code))]
    raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "only the author knows which tensor is meant")


def _static(file: _File, node: ast.expr, name: str, structure: str) -> _Made:
    """The structure of an input that is declared as None, with None for each part."""
    if not structure or not isinstance(node, ast.Constant):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the entry, or what the input holds, is not written out")
    return f"Declare each part of `{name}` as static", [Edit(file.span(node), structure.replace(TENSOR, "None"))]


def _in_range(file: _File, fact: ArgumentMismatch) -> _Made:
    """A size in the example that is the nearest in the range of its Dim, for all dimensions that share the Dim."""
    _, size, low, high, name = fact.parts
    # Export specializes a size of 0 or 1.
    new = max(int(low), 2) if int(size) < int(low) else int(high)
    if new < 2:
        raise FixNotApplicable(NoFix.NEEDS_AUTHOR, "export specializes every size of the range")
    alike = [
        other
        for other in file.facts
        if isinstance(other, ArgumentMismatch) and other.kind == "range" and other.parts[1:] == fact.parts[1:]
    ]
    sizes = {id(other.size): other.size for other in (alike if name else [fact])}
    edits = [Edit(file.span(one), str(new)) for one in sizes.values() if one is not None]
    if None in sizes.values():
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the size in the example is not written out")
    return f"Use an example size of {new}", edits


def _counted_from_the_front(file: _File, node: ast.expr, axis: int, rank: int) -> _Made:
    above = file.parents.get(id(node))
    keys = above.keys if isinstance(above, ast.Dict) else []
    key = next((key for key in keys if key is not None and ast.unparse(key) == str(axis)), None)
    if key is None or any(other is not None and ast.unparse(other) == str(axis + rank) for other in keys):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the axis is computed, or declared twice")
    return f"Count the dimension from the front: {axis + rank}", [Edit(file.span(key), str(axis + rank))]
