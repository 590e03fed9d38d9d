"""Classes whose objects go in or out, made known to pytree.

Measured on torch 2.13, in both modes: `torch.export.register_dataclass` serves dataclasses; other classes are served by
`torch.utils._pytree.register_pytree_node`, which as inputs needs `flatten_with_keys_fn` too.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix, Position, Span
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.imports import torch_import, torch_name
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import parameters
from exportdb_rules.rewrite.outline import still_parses
from exportdb_rules.rewrite.parts import Named, parts
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import Tree, below, children, dotted, method, parse, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.rewrite.context import FixContext

# Methods of lists and dicts that change them.
_CHANGING: Final = frozenset(
    ("append", "extend", "insert", "pop", "clear", "update", "setdefault", "remove", "__setitem__")
)

TITLE: Final = "Register `{name}` with pytree"
LIST: Final = "Return a list"


def class_to_registered(context: FixContext) -> tuple[Fix, ...]:
    """The lines that register the class of the object, behind its definition; () if its parts are not known.

    `unsafe`: code that maps over trees itself takes the object apart from then on.
    """
    tree = parse(context.text)
    if tree is None:
        return ()
    try:
        name = _class_name(context)
        definition = _definition(tree, name)
        if _comes_in(tree, context, name):
            _refuse_changed(tree, definition)
            _refuse_stored(tree, name)
        lines = _lines(tree, context, definition)
    except FixNotApplicable:
        return ()
    place = tree.span(definition)
    assert place is not None
    here = Position(place.end.row + 1, 1)
    newline = tree.module.default_newline
    text = "".join(newline + newline + part.replace("\n", newline) for part in lines)
    text += newline
    if not context.text.endswith(newline) and place.end.row + 1 > len(context.text.splitlines()):
        # The class is the last thing in its file.
        here = place.end
        text = newline + text.removesuffix(newline)
    edits = tuple(sorted((*torch_import(tree), Edit(Span(here, here), text)), key=lambda e: e.span))
    if not still_parses(context.text, edits):
        return ()
    return (Fix(TITLE.format(name=name), Applicability.UNSAFE, edits, preferred=True),)


def _class_name(context: FixContext) -> str:
    """The class of the one object that stands at the finding's place."""
    found: set[str] = set()
    for span, value in context.values.items():
        if context.finding.span.start <= span.start and span.end <= context.finding.span.end:
            found |= _classes(value, 0)
    if len(found) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not one class")
    return found.pop()


def _classes(value: domain.Value, depth: int) -> set[str]:
    found: set[str] = set()
    for choice in lattice.choices(value):
        if isinstance(choice, domain.Instance) and choice.cls is not None:
            if not choice.external.startswith("torch.nn."):
                found.add(choice.cls.name)
        elif depth < 4 and isinstance(choice, (lattice.Sequence, lattice.Mapping)):
            found |= _classes(choice.any(), depth + 1)
    return found


def _definition(tree: Tree, name: str) -> cst.ClassDef:
    body = parts(tree.module)
    if [(part.kind, part.name) for part in body.all].count((cst.ClassDef, name)) != 1:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the class is not defined in this file")
    return Named(body, cst.ClassDef)[name]


def _comes_in(tree: Tree, context: FixContext, name: str) -> bool:
    """Whether an object of the class may be an input."""
    functions = (f for top in parts(tree.module).holding(name) for f in below(top, cst.FunctionDef))
    annotations = (p.annotation for f in functions for p in parameters(f))
    written = (tree.code(a.annotation) for a in annotations if a is not None)
    return context.finding.case.endswith("_input") or any(re.search(rf"\b{name}\b", code) for code in written)


def _refuse_changed(tree: Tree, definition: cst.ClassDef) -> None:
    """Raises FixNotApplicable where code gives an object of the class other parts, which the caller would see: the exported program
    works on an object of its own, and without a registration export says so."""
    inside = statements(definition.body)
    fields = {f for s in inside for f in _set_in(s)}
    fields |= {dotted(s.target) for line in inside if isinstance(line, cst.SimpleStatementLine) for s in line.body if isinstance(s, cst.AnnAssign)}  # fmt: skip
    for node in tree.module.body:
        methods = [m for m in inside if not _named(m, "__init__", "__post_init__")] if node is definition else [node]
        for part in methods:
            for stored in _stored(part):
                mine = dotted(stored.value) == "self" and node is not definition and isinstance(node, cst.ClassDef)
                if stored.attr.value in fields and not mine:
                    raise FixNotApplicable(NoFix.ALIASED_WRITE, "an object that comes in is changed")


def _refuse_stored(tree: Tree, name: str) -> None:
    """The same where the object is a dict, and a function gives one that it is given other keys."""
    for function in (f for top in parts(tree.module).holding(name) for f in below(top, cst.FunctionDef)):
        annotated = ((p.name.value, p.annotation) for p in parameters(function) if p.annotation is not None)
        given = {own for own, a in annotated if re.search(rf"\b{name}\b", tree.code(a.annotation))}
        if given & side_effects([function.body]).names:
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "an object that comes in is changed")


def _named(node: cst.CSTNode, *names_: str) -> bool:
    return isinstance(node, cst.FunctionDef) and node.name.value in names_


def _stored(node: cst.CSTNode) -> Iterator[cst.Attribute]:
    """The attributes that a piece of code binds anew, and those whose lists and dicts it changes."""
    for target in (*below(node, cst.AssignTarget), *below(node, cst.AnnAssign), *below(node, cst.AugAssign)):
        yield from (part for part in _targets(target.target) if isinstance(part, cst.Attribute))
    for call in below(node, cst.Call):
        changing = call.func
        if isinstance(changing, cst.Attribute) and changing.attr.value in _CHANGING:
            inner = changing.value
            while isinstance(inner, cst.Subscript):
                inner = inner.value
            if isinstance(inner, cst.Attribute):
                yield inner


def _targets(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from _targets(element.value)
    elif isinstance(node, cst.Subscript):
        # `state.keys[0] = …`: the part itself, where it is a list.
        yield from _targets(node.value)
    else:
        yield node


def _lines(tree: Tree, context: FixContext, definition: cst.ClassDef) -> list[str]:
    name = definition.name.value
    torch = torch_name(tree)
    known = f'"{PurePath(context.finding.filename).stem}.{name}"'
    if _is_dataclass(definition):
        return [f"{torch}.export.register_dataclass({name}, serialized_type_name={known})\n"]
    short = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    pytree = f"{torch}.utils._pytree"
    bases = [tree.code(base.value) for base in definition.bases]
    if bases and re.fullmatch(r"(dict|Dict\[.*\]|dict\[.*\])", bases[0]) and len(bases) == 1:
        _refuse_parts(definition)
        return [_DICT.format(pytree=pytree, name=name, short=short, known=known)]
    if bases and bases != ["object"]:
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "the class has bases")
    fields = _fields(definition)
    taken = {node.value for node in below(tree.module, cst.Name)}
    parts = ", ".join(f"{short}.{field}" for field in fields)
    keyed = ", ".join(f'({pytree}.GetAttrKey("{field}"), {short}.{field})' for field in fields)
    blocks: list[str] = []
    if _mirrors(definition, fields):
        make = f"lambda values, _: {name}(*values)"
    else:
        make = f"_make_{short}"
        if make in taken:
            raise FixNotApplicable(NoFix.NAME_CLASH, "a name is taken")
        targets = ", ".join(f"{short}.{field}" for field in fields) + ("," if len(fields) == 1 else "")
        blocks.append(
            f"def {make}(values, _):\n    {short} = {name}.__new__({name})\n    {targets} = values\n    return {short}\n"
        )
    blocks.append(
        f"{pytree}.register_pytree_node(\n    {name},\n    lambda {short}: ([{parts}], None),\n    {make},\n"
        f"    serialized_type_name={known},\n    flatten_with_keys_fn=lambda {short}: ([{keyed}], None),\n)\n"
    )
    return blocks


_DICT: Final = """{pytree}.register_pytree_node(
    {name},
    lambda {short}: (list({short}.values()), list({short})),
    lambda values, keys: {name}(zip(keys, values)),
    serialized_type_name={known},
    flatten_with_keys_fn=lambda {short}: (
        [({pytree}.MappingKey(key), value) for key, value in {short}.items()],
        list({short}),
    ),
)
"""


def _refuse_parts(definition: cst.ClassDef) -> None:
    """Raises FixNotApplicable where a class that derives from dict may have more than items, or not be made of them."""
    own = ("__init__", "__new__", "__setattr__", "__setitem__", "__iter__", "__len__", "__missing__", "__slots__")
    items = ("keys", "values", "items", "update")
    if any(method(definition, name) for name in (*own, *items)) or _set_in(definition):
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "not a plain constructor")


def _is_dataclass(definition: cst.ClassDef) -> bool:
    decorators = [d.decorator for d in definition.decorators]
    names = [dotted(d.func if isinstance(d, cst.Call) else d) for d in decorators]
    if names and all(n.rpartition(".")[2] == "dataclass" for n in names):
        return True
    if names:
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "a decorator that may do anything")
    return False


def _fields(definition: cst.ClassDef) -> list[str]:
    """The attributes that every object of the class has: its constructor sets them, in any case, and no method others."""
    init = method(definition, "__init__")
    if init is None or any(method(definition, m) for m in ("__slots__", "__new__", "__setattr__", "__getattr__")):
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "not a plain constructor")
    fields: dict[str, None] = {}
    for statement in statements(init.body):
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                fields.update(dict.fromkeys(_set(small)))
    every: set[str] = set()
    for statement in statements(definition.body):
        if isinstance(statement, cst.FunctionDef):
            every |= _set_in(statement)
            if any(dotted(d.decorator) in ("property", "cached_property") for d in statement.decorators):
                every -= {statement.name.value}
    if not fields or every - fields.keys():
        raise FixNotApplicable(NoFix.CLASS_HIERARCHY, "its attributes are not all set by the constructor")
    return list(fields)


def _set(node: cst.CSTNode) -> list[str]:
    """The attributes of self that a simple statement sets."""
    targets: list[cst.CSTNode] = []
    if isinstance(node, cst.Assign):
        targets = [t.target for t in node.targets]
    elif isinstance(node, cst.AnnAssign) and node.value is not None:
        targets = [node.target]
    names = [dotted(t) for t in targets]
    return [n.removeprefix("self.") for n in names if n.startswith("self.") and n.count(".") == 1]


def _set_in(node: cst.CSTNode) -> set[str]:
    found = set(_set(node))
    if isinstance(node, cst.AugAssign) and dotted(node.target).startswith("self."):
        found.add(dotted(node.target).removeprefix("self."))
    for child in children(node):
        found |= _set_in(child)
    return {f for f in found if "." not in f}


def _mirrors(definition: cst.ClassDef, fields: list[str]) -> bool:
    """Whether the constructor takes the attributes, in their order, and does no more than to keep them."""
    init = method(definition, "__init__")
    assert init is not None
    given = [p.name.value for p in parameters(init)][1:]
    if given != fields or init.params.kwonly_params or isinstance(init.params.star_arg, cst.Param):
        return False
    kept = 0
    for statement in statements(init.body):
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            return False
        small = statement.body[0]
        if isinstance(small, cst.Expr) and isinstance(small.value, (cst.SimpleString, cst.ConcatenatedString)):
            continue
        value = small.value if isinstance(small, (cst.Assign, cst.AnnAssign)) else None
        if value is None or _set(small) != [dotted(value)]:
            return False
        kept += 1
    return kept == len(fields)


def container_to_list(context: FixContext) -> tuple[Fix, ...]:
    """`return (f(x) for x in xs)` and `return {a, b}` as lists. `unsafe`: the result is of another type."""
    tree = parse(context.text)
    path = () if tree is None else tree.path(context.finding.span)
    if tree is None or len(path) < 2:
        return ()
    node = path[-1]
    span = tree.span(node)
    assert span is not None
    if isinstance(node, cst.GeneratorExp):
        code = tree.code(node.with_changes(lpar=[], rpar=[]))
        if node.lpar:
            span = Span(Position(span.start.row, span.start.column - 1), Position(span.end.row, span.end.column + 1))
    elif isinstance(node, cst.Set):
        code = tree.code(node.with_changes(lpar=[], rpar=[])).strip()[1:-1]
    else:
        return ()
    edits = (Edit(span, f"[{code}]"),)
    if not still_parses(context.text, edits):
        return ()
    return (Fix(LIST, Applicability.UNSAFE, edits, preferred=True),)
