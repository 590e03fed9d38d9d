"""State that is kept elsewhere than in an attribute of the module, as registered buffers: items of a dict or a list on
the module, names of the file, attributes of the class.

Measured on torch 2.13, in both modes: a tensor that a buffer holds and something else too is one tensor, so a buffer
that every object registers for one tensor of the file or the class is shared as the number was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.state import made_in_constructor, registered
from exportdb_rules.rewrite.buffers.state_uses import (
    Path,
    State,
    attribute_paths,
    converted,
    functions_around,
    of_self,
    paths,
    plain_first,
    refuse_taken,
    set_by_constructor,
    stored,
)
from exportdb_rules.rewrite.edits import lines_of
from exportdb_rules.rewrite.fix_site import local_names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

ITEMS: Final = "Store the mutated items in buffers"
SHARED: Final = "Store in a buffer shared by all instances"


# --- items of a dict or list ------------------------------------------------------------------------------------------


def items_to_buffers(context: FixContext) -> tuple[Fix, ...]:
    """`self.state["h"] = …` as a write to the buffer `self.state_h`, where the constructor writes the dict out.

    Always `unsafe`: the items are attributes of their own.
    """
    return make_fix(context, ITEMS, Applicability.UNSAFE, _moved_items)


def _moved_items(place: FixSite) -> Iterable[Edit]:
    held = next((n for n in reversed(place.path) if isinstance(n, cst.Subscript) and _held(n)), None)
    if held is None or place.owner is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an item of an attribute")
    name = _held(held)
    assign = made_in_constructor(place, name)
    first = _items(assign.value)
    uses = _item_uses(place, name)
    written = {key for path, key in uses if stored(path)}
    if not written <= first.keys() or (isinstance(assign.value, cst.List) and written != first.keys()):
        raise FixNotApplicable(NoFix.CONTAINER_USE, "an item is new")
    edits: list[Edit] = []
    lines: list[str] = []
    for key in [key for key in first if key in written]:
        if not plain_first(place, first[key]):
            raise FixNotApplicable(NoFix.CONTAINER_USE, "an item is neither a number nor a plain tensor")
        buffer = f"{name}_{key}"
        refuse_taken(place, buffer)
        state = State(_same_item(name, key), buffer)
        mine = [path for path, other in uses if other == key]
        done, code = converted(
            place, state, first[key], [p for p in mine if stored(p)], [p for p in mine if not stored(p)]
        )
        edits += done
        lines.append(registered(buffer, code))
    left = _without(assign.value, written)
    if left is not None:
        lines.append(f"self.{name} = {place.tree.code(left)}")
    return [*edits, assign.replaced(place, lines)]


def _held(node: cst.Subscript) -> str:
    """The attribute of self that a subscript is of."""
    base = dotted(node.value)
    return base.removeprefix("self.") if base.startswith("self.") and base.count(".") == 1 else ""


def _key(node: cst.CSTNode) -> str | None:
    """The literal of a dict's key or of an index, as part of a name."""
    if (
        isinstance(node, cst.SimpleString)
        and isinstance(text := node.evaluated_value, str)
        and f"a{text}".isidentifier()
    ):
        return text
    return node.value if isinstance(node, cst.Integer) else None


def _items(value: cst.BaseExpression) -> dict[str, cst.BaseExpression]:
    found: dict[str, cst.BaseExpression] = {}
    pairs: list[tuple[str | None, cst.BaseExpression]] = []
    if isinstance(value, cst.Dict):
        for element in value.elements:
            pairs.append((_key(element.key) if isinstance(element, cst.DictElement) else None, element.value))
    elif isinstance(value, cst.List):
        for index, item in enumerate(value.elements):
            pairs.append((str(index) if isinstance(item, cst.Element) else None, item.value))
    for key, item in pairs:
        if key is None or key in found:
            raise FixNotApplicable(NoFix.CONTAINER_USE, "a key that is not a plain text or number")
        found[key] = item
    if not found:
        raise FixNotApplicable(NoFix.CONTAINER_USE, "the container is not a literal")
    return found


def _subscripted(node: cst.CSTNode) -> str | None:
    """The literal in a subscript."""
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    index = node.slice[0].slice
    return _key(index.value) if isinstance(index, cst.Index) and index.star is None else None


def _same_item(name: str, key: str) -> Callable[[cst.CSTNode], bool]:
    return lambda node: isinstance(node, cst.Subscript) and _held(node) == name and _subscripted(node) == key


def _item_uses(place: FixSite, name: str) -> list[tuple[Path, str]]:
    """Every place outside the constructor where an item is read or written, with its key.

    Raises:
        FixNotApplicable: the container is used in another way, or by other code than the class.
    """
    found: list[tuple[Path, str]] = []
    for path, _ in attribute_paths(place, name):
        if set_by_constructor(place, path):
            continue
        functions = functions_around(path)
        key = _subscripted(path[-2])
        if not of_self(place, path) or not functions or functions[0].name.value == "__init__" or key is None:
            raise FixNotApplicable(NoFix.CONTAINER_USE, "the container is used as a whole")
        if any(isinstance(n, (cst.Del, cst.Lambda, cst.BaseComp)) for n in path[path.index(functions[0]) :]):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported use")
        found.append((path[:-1], key))
    return found


def _without(value: cst.BaseExpression, gone: set[str]) -> cst.BaseExpression | None:
    """A dict without some of its items; None where none is left."""
    if not isinstance(value, cst.Dict):
        return None
    left = [e for e in value.elements if isinstance(e, cst.DictElement) and _key(e.key) not in gone]
    if not left:
        return None
    left[-1] = left[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return value.with_changes(elements=left)


# --- names of the file, attributes of the class ---------------------------------------------------------------------------


def global_to_buffer(context: FixContext) -> tuple[Fix, ...]:
    """`global calls; calls += 1` as a buffer of the object, registered for one tensor of the file.

    Always `unsafe`: the name holds a tensor.
    """
    return make_fix(context, SHARED, Applicability.UNSAFE, _moved_global)


def _moved_global(place: FixSite) -> Iterable[Edit]:
    node, owner = place.node, place.owner
    if not isinstance(node, cst.Name) or owner is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "not a name of the file")
    name = node.value
    made = _given_once(place.tree.module.body, name)
    writes, reads, declared = _global_uses(place, owner, name, made)
    buffer = _free(place, name)
    state = State(lambda node: isinstance(node, cst.Name) and node.value == name, buffer)
    return [
        *_shared(place, state, made, writes, reads, name),
        *[edit for line in declared for edit in _undeclared(place, line, name)],
    ]


def _given_once(block: Iterable[cst.CSTNode], name: str) -> cst.Assign:
    """The one assignment of a name in the block of a file or a class."""
    made = [
        small
        for line in block
        if isinstance(line, cst.SimpleStatementLine)
        for small in line.body
        if isinstance(small, cst.Assign) and any(dotted(t.target) == name for t in small.targets)
    ]
    if len(made) != 1 or len(made[0].targets) != 1:
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the name is not given one value")
    return made[0]


def _global_uses(
    place: FixSite, owner: cst.ClassDef, name: str, made: cst.Assign
) -> tuple[list[Path], list[Path], list[Path]]:
    """Where the class writes and reads the name, and where it declares it global.

    Raises:
        FixNotApplicable: other code uses the name too, or the constructor does.
    """
    writes: list[Path] = []
    reads: list[Path] = []
    declared: list[Path] = []
    for path in paths(place.tree.module):
        node = path[-1]
        if not isinstance(node, cst.Name) or node.value != name or _only_spelled(path) or any(n is made for n in path):
            continue
        functions = functions_around(path)
        if functions and any(name in local_names(f) for f in functions):
            continue
        if not any(n is owner for n in path) or len(functions) != 1 or functions[0].name.value == "__init__":
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "other code uses the name too")
        if any(isinstance(n, (cst.Lambda, cst.BaseComp, cst.Del)) for n in path) or functions[0].decorators:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported use")
        if not any(functions[0] is s for s in statements(owner.body)) or not functions[0].params.params:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a method")
        if functions[0].params.params[0].name.value != "self":
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a method")
        if isinstance(path[-2], cst.NameItem):
            declared.append(path)
        else:
            (writes if stored(path) else reads).append(path)
    return writes, reads, declared


def _only_spelled(path: Path) -> bool:
    """Whether a name is an attribute's, a keyword's or a parameter's, and not looked up."""
    parent, node = path[-2], path[-1]
    if isinstance(parent, cst.Attribute):
        return parent.attr is node
    if isinstance(parent, cst.Arg):
        return parent.keyword is node
    return isinstance(parent, (cst.Param, cst.FunctionDef, cst.ClassDef))


def _undeclared(place: FixSite, path: Path, name: str) -> list[Edit]:
    """The edit that takes a name out of a `global` statement."""
    statement = next(n for n in path if isinstance(n, cst.Global))
    line = next(n for n in reversed(path) if isinstance(n, cst.SimpleStatementLine))
    span, row = place.tree.span(statement), place.tree.span(line)
    assert span is not None
    assert row is not None
    others = [item.name.value for item in statement.names if item.name.value != name]
    if others:
        return [Edit(span, f"global {', '.join(others)}")]
    if len(line.body) != 1 or line.trailing_whitespace.comment is not None:
        raise FixNotApplicable(NoFix.SHARED_LINE, "the declaration shares its line")
    # What stands above the line stays: its comments may be about what follows.
    return [Edit(Span(Position(row.start.row, 1), Position(row.start.row + 1, 1)), "")]


def class_attribute_to_buffer(context: FixContext) -> tuple[Fix, ...]:
    """`type(self).calls += 1` as a buffer of the object, registered for one tensor of the class.

    Always `unsafe`: the attribute holds a tensor.
    """
    return make_fix(context, SHARED, Applicability.UNSAFE, _moved_attribute)


def _moved_attribute(place: FixSite) -> Iterable[Edit]:
    node, owner = place.node, place.owner
    if not isinstance(node, cst.Attribute) or owner is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an attribute of the class")
    name = node.attr.value
    if any(dotted(base.value) == owner.name.value for c in below(place.tree.module, cst.ClassDef) for base in c.bases):
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "a class that derives from it has an attribute of its own")
    made = _given_once(statements(owner.body), name)
    writes: list[Path] = []
    reads: list[Path] = []
    for path, here in attribute_paths(place, name):
        functions = functions_around(path)
        mine = _of_class(here, owner) or (dotted(here.value) == "self" and not stored(path))
        if not mine or len(functions) != 1 or functions[0].name.value == "__init__" or functions[0].decorators:
            raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "other code uses the attribute too")
        if not any(n is owner for n in path) or any(isinstance(n, (cst.Lambda, cst.BaseComp, cst.Del)) for n in path):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported use")
        (writes if stored(path) else reads).append(path)
    state = State(
        lambda node: (
            isinstance(node, cst.Attribute)
            and node.attr.value == name
            and (_of_class(node, owner) or dotted(node.value) == "self")
        ),
        _free(place, f"shared_{name}"),
    )
    return _shared(place, state, made, writes, reads, f"{owner.name.value}.{name}")


def _of_class(node: cst.Attribute, owner: cst.ClassDef) -> bool:
    """Whether an attribute is read or written on the class: `Net.n`, `type(self).n`, `self.__class__.n`."""
    base = node.value
    if isinstance(base, cst.Call):
        return dotted(base.func) == "type" and len(base.args) == 1 and dotted(base.args[0].value) == "self"
    return dotted(base) in (owner.name.value, "self.__class__")


def _shared(
    place: FixSite, state: State, made: cst.Assign, writes: list[Path], reads: list[Path], held: str
) -> list[Edit]:
    """The edits that make the first value a tensor, let every object register it, and let its methods use that."""
    if not writes or not plain_first(place, made.value):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the first value is neither a number nor a plain tensor")
    edits, code = converted(place, state, made.value, writes, reads)
    span = place.tree.span(made.value)
    assert span is not None
    if made.value.lpar:
        raise FixNotApplicable(NoFix.SHARED_LINE, "the first value is in parentheses")
    if place.tree.code(made.value) != code:
        edits.append(Edit(span, code))
    return [*edits, _registering(place, registered(state.buffer, held))]


def _free(place: FixSite, name: str) -> str:
    """An attribute of the class that the text does not have."""
    taken = {a.attr.value for a in below(place.tree.module, cst.Attribute)}
    taken |= {str(s.evaluated_value) for s in below(place.tree.module, cst.SimpleString)}
    taken |= {f.name.value for f in below(place.tree.module, cst.FunctionDef)}
    wanted, number = name, 1
    while wanted in taken:
        number += 1
        wanted = f"{name}_{number}"
    return wanted


def _registering(place: FixSite, line: str) -> Edit:
    """The edit that puts a line at the end of the class's constructor, which is made if there is none."""
    owner = place.owner
    assert owner is not None
    init = next(
        (s for s in statements(owner.body) if isinstance(s, cst.FunctionDef) and s.name.value == "__init__"), None
    )
    lines = lines_of(place.tree.text)
    if init is not None:
        body = statements(init.body)
        ready = next((s for s in body if isinstance(s, cst.SimpleStatementLine) and _calls_super(s)), None)
        span = place.tree.span(ready) if ready is not None else None
        if span is None or lines.line(span.start.row)[: span.start.column - 1].strip():
            raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the constructor does not call that of torch")
        indent = " " * (span.start.column - 1)
        at = Position(span.end.row + 1, 1)
        return Edit(Span(at, at), f"{indent}{line}\n")
    method = next(f for f in statements(owner.body) if isinstance(f, cst.FunctionDef))
    span = place.tree.span(method)
    assert span is not None
    row = min([span.start.row, *[s.start.row for d in method.decorators if (s := place.tree.span(d)) is not None]])
    indent = " " * (span.start.column - 1)
    arguments = "" if _plain_module(owner) else "*args, **kwargs"
    head = f"{indent}def __init__(self{', ' + arguments if arguments else ''}):\n"
    inner = indent + place.tree.module.default_indent
    at = Position(row, 1)
    return Edit(Span(at, at), f"{head}{inner}super().__init__({arguments})\n{inner}{line}\n\n")


def _calls_super(line: cst.SimpleStatementLine) -> bool:
    return any(
        isinstance(call.func, cst.Attribute) and call.func.attr.value == "__init__" for call in below(line, cst.Call)
    )


def _plain_module(owner: cst.ClassDef) -> bool:
    return len(owner.bases) == 1 and dotted(owner.bases[0].value).rpartition(".")[2] == "Module"
