"""Numbers that a function keeps for the next call in a closure, as buffers of a small module with that function as its forward.

Measured on torch 2.13: what a closure counts is lost in the exported program; a module that the constructor is given in
its place is a submodule, whose buffers are kept, in both modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import registered
from exportdb_rules.rewrite.buffers.state_uses import Path, State, converted, paths, plain_first, plain_tensor, stored
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.fix_site import local_names, new_name
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Store in a buffer of a new module"


def closure_to_module(context: FixContext) -> tuple[Fix, ...]:
    """`nonlocal calls; calls += 1` in a function that another one makes for the constructor, as a module that counts.

    Always `unsafe`: what is made is a module, and the number a tensor.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _moved)


def _moved(place: FixSite) -> Iterable[Edit]:
    inner = place.function
    above = place.path[: place.path.index(inner)]
    factory = next((n for n in reversed(above) if isinstance(n, cst.FunctionDef)), None)
    if factory is None or not any(s is factory for s in place.tree.module.body) or factory.decorators:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function is not made by a function of the file")
    last = _made(factory, inner)
    kept = [item.name.value for node in below(inner.body, cst.Nonlocal) for item in node.names]
    calls = _calls(place, factory)
    edits: list[Edit] = []
    lines: list[str] = []
    for name in kept:
        first, line = _first(place, factory, name)
        state = State(lambda node, name=name: isinstance(node, cst.Name) and node.value == name, name, tuple(calls))
        uses = _uses(place, factory, inner, name)
        writes, reads = [p for p in uses if stored(p)], [p for p in uses if not stored(p)]
        done, code = converted(place, state, first, writes, reads)
        if plain_tensor(place, first):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a tensor of a closure")
        edits += done
        lines.append(registered(name, code))
        if line is not None:
            edits.append(_without(place, line))
    return [*edits, *_as_class(place, inner, last, lines)]


def _made(factory: cst.FunctionDef, inner: cst.FunctionDef) -> cst.Name:
    """What the factory returns: the name of the function, and it does nothing else with it."""
    body = statements(factory.body)
    last = body[-1].body[0] if isinstance(body[-1], cst.SimpleStatementLine) else None
    value = last.value if isinstance(last, cst.Return) else None
    plain = all(isinstance(s, cst.SimpleStatementLine) or s is inner for s in body)
    named = [n for n in below(factory, cst.Name) if n.value == inner.name.value]
    if not isinstance(value, cst.Name) or value.value != inner.name.value or not plain or len(named) != 2:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function is not all that is made")
    if inner.decorators or "self" in {n.value for n in below(factory, cst.Name)}:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported function")
    return value


def _calls(place: FixSite, factory: cst.FunctionDef) -> list[Path]:
    """Where what the factory made is called: always by the attribute of self that a constructor put it in.

    Raises:
        FixNotApplicable: it is used in another way.
    """
    attributes: set[tuple[int, str]] = set()
    module = place.tree.module
    for path in paths(module):
        node = path[-1]
        if not isinstance(node, cst.Name) or node.value != factory.name.value or node is factory.name:
            continue
        call = path[-2]
        assign = path[-3] if len(path) > 3 else None
        owner = next((n for n in path if isinstance(n, cst.ClassDef)), None)
        functions = [n.name.value for n in path if isinstance(n, cst.FunctionDef)]
        target = assign.targets[0].target if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None
        made = isinstance(call, cst.Call) and call.func is node and target is not None and owner is not None
        if not made or functions != ["__init__"] or target is None or not dotted(target).startswith("self."):
            raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the function is made elsewhere")
        attributes.add((id(owner), dotted(target).removeprefix("self.")))
    found: list[Path] = []
    names = {name for _, name in attributes}
    for path in paths(module):
        node = path[-1]
        if not isinstance(node, cst.Attribute) or node.attr.value not in names:
            continue
        owner = next((n for n in path if isinstance(n, cst.ClassDef)), None)
        if (id(owner), node.attr.value) not in attributes or dotted(node.value) != "self":
            raise FixNotApplicable(NoFix.FUNCTION_USED_ELSEWHERE, "the function is used elsewhere")
        if stored(path):
            continue
        call = path[-2]
        if not isinstance(call, cst.Call) or call.func is not node:
            raise FixNotApplicable(NoFix.FUNCTION_USED_ELSEWHERE, "the function is passed on")
        found.append(path[:-1])
    if not found:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the function is never called")
    return found


def _first(
    place: FixSite, factory: cst.FunctionDef, name: str
) -> tuple[cst.BaseExpression, cst.SimpleStatementLine | None]:
    """What a name of the factory begins with, and the line that says so; None for a parameter."""
    if name in {p.name.value for p in parameters(factory)}:
        return cst.Name(name), None
    found: list[tuple[cst.BaseExpression, cst.SimpleStatementLine]] = []
    for line in statements(factory.body):
        if not isinstance(line, cst.SimpleStatementLine):
            continue
        for small in line.body:
            if isinstance(small, cst.Assign) and any(dotted(t.target) == name for t in small.targets):
                if len(small.targets) != 1 or len(line.body) != 1:
                    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported assignment")
                found.append((small.value, line))
    if len(found) != 1 or not plain_first(place, found[0][0]):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the first value is not a plain number")
    return found[0]


def _uses(place: FixSite, factory: cst.FunctionDef, inner: cst.FunctionDef, name: str) -> list[Path]:
    """Where the function writes and reads the number; nothing else in the factory does."""
    found: list[Path] = []
    for path in paths(place.tree.module):
        node = path[-1]
        if not isinstance(node, cst.Name) or node.value != name or not any(n is factory for n in path):
            continue
        parent = path[-2]
        if isinstance(parent, (cst.NameItem, cst.Param)) or (isinstance(parent, cst.Attribute) and parent.attr is node):
            continue
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            continue
        if not any(n is inner for n in path):
            if stored(path):
                continue
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "other code of the function uses the number")
        if any(isinstance(n, (cst.Lambda, cst.BaseComp)) for n in path) or name in local_names(inner):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported use")
        found.append(path)
    return found


def _without(place: FixSite, line: cst.SimpleStatementLine) -> Edit:
    if place.tree.span(line) is None or line.trailing_whitespace.comment is not None or len(line.body) != 1:
        raise FixNotApplicable(NoFix.SHARED_LINE, "a line that holds more")
    return place.tree.without_rows(line)


def _as_class(place: FixSite, inner: cst.FunctionDef, last: cst.Name, lines: list[str]) -> list[Edit]:
    """The edits that make the function the forward of a class, whose constructor registers buffers."""
    word = "".join(part.capitalize() for part in inner.name.value.split("_")) or "State"
    name = new_name(place, word)
    span, returned = place.tree.span(inner), place.tree.span(last)
    if span is None or returned is None or not isinstance(inner.body, cst.IndentedBlock):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a function on one line")
    if any(s.quote.startswith(('"""', "'''")) for s in below(inner, cst.SimpleString)):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a text over several lines")
    rows = lines_of(place.tree.text)
    head = rows.line(span.start.row)
    indent = head[: span.start.column - 1]
    opening = head.index("(", span.start.column)
    if indent.strip() or not head.rstrip().endswith(":"):
        raise FixNotApplicable(NoFix.SHARED_LINE, "a head over several lines")
    step = "    "
    deeper = indent + step
    made = [
        f"class {name}({place.torch}.nn.Module):",
        f"{deeper}def __init__(self):",
        f"{deeper}{step}super().__init__()",
        *[f"{deeper}{step}{line}" for line in lines],
        "",
        f"{deeper}def forward(self{', ' if parameters(inner) else ''}",
    ]
    # The head up to the opening parenthesis is written anew.
    edits = [Edit(Span(span.start, Position(span.start.row, opening + 2)), "\n".join(made))]
    lines_ = [line for line in statements(inner.body) if isinstance(line, cst.SimpleStatementLine)]
    gone = [line for line in lines_ if any(isinstance(small, cst.Nonlocal) for small in line.body)]
    if len(gone) != len(list(below(inner, cst.Nonlocal))) or any(True for _ in below(inner.body, cst.FunctionDef)):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported declaration")
    edits += [_without(place, line) for line in gone]
    declared = {where.start.row for line in gone if (where := place.tree.span(line)) is not None}
    for row in range(span.start.row + 1, span.end.row + 1):
        if row not in declared and rows.line(row).strip():
            edits.append(Edit(Span(Position(row, 1), Position(row, 1)), step))
    edits.append(Edit(returned, f"{name}()"))
    return edits
