"""State kept in a plain attribute, as a registered buffer: export keeps what is written to a buffer in place.

Measured on torch 2.13: `self.n += 1` on a number is lost in the exported program (it computes every call as if it
were the first), on a buffer it is kept, in both modes.
"""

from __future__ import annotations

import keyword
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import alone
from exportdb_rules.rewrite.buffers.state_uses import (
    Path,
    State,
    attribute_paths,
    converted,
    functions_around,
    of_self,
    paths,
    plain_first,
    plain_tensor,
    stored,
)
from exportdb_rules.rewrite.effort import once
from exportdb_rules.rewrite.fix_site import local_names, locate
from exportdb_rules.rewrite.known.inference import Inference
from exportdb_rules.rewrite.known.modules import definitions
from exportdb_rules.rewrite.known.mutation import registers
from exportdb_rules.rewrite.known.names import names
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.fix_site import FixSite

TITLE: Final = "Store `self.{name}` in a buffer"
IN_PLACE: Final = "Update the buffer `self.{name}` in place"


@dataclass(frozen=True, eq=False)
class Made:
    """Where the constructor gives an attribute its value. `others` gives the attributes beside it theirs:
    `self.h, self.c = None, None`, `self.low = self.high = 0.0`."""

    node: cst.Assign
    value: cst.BaseExpression
    others: tuple[str, ...] = ()

    def replaced(self, place: FixSite, lines: Sequence[str]) -> Edit:
        """The edit that makes the statement these lines, and those that give the others their values."""
        span = place.tree.span(self.node)
        assert span is not None
        indent = " " * (span.start.column - 1)
        return Edit(span, f"\n{indent}".join([*lines, *self.others]))


@dataclass(eq=False)
class Use:
    """What the class does with the attribute, outside its constructor."""

    writes: list[tuple[cst.CSTNode, ...]] = field(default_factory=list[tuple[cst.CSTNode, ...]])
    reads: list[tuple[cst.CSTNode, ...]] = field(default_factory=list[tuple[cst.CSTNode, ...]])


def setattr_to_assignment(context: FixContext) -> tuple[Fix, ...]:
    """`setattr(name, "attribute", value)` as `name.attribute = value`. `safe`: it is the same."""
    return make_fix(context, "Assign the attribute", Applicability.SAFE, _assigned, any_types=True)


def _assigned(place: FixSite) -> Iterable[Edit]:
    call = place.node
    if not isinstance(call, cst.Call) or dotted(call.func) != "setattr" or len(call.args) != 3:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a call of setattr")
    owner, name, value = [a.value for a in call.args]
    if any(a.star or a.keyword is not None for a in call.args) or not isinstance(name, cst.SimpleString):
        raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the name is not a literal")
    text = name.evaluated_value
    span = place.tree.span(call)
    if not isinstance(text, str) or not _means_itself(text) or span is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a plain attribute")
    if not isinstance(owner, cst.Name) or owner.value in names(value).writes:
        raise FixNotApplicable(
            NoFix.EVALUATION_ORDER, "the object is computed before the value, where an assignment computes it after it"
        )
    if not isinstance(place.path[-2], cst.Expr):
        raise FixNotApplicable(NoFix.SHARED_LINE, "the call is not a statement")
    return (Edit(span, f"{owner.value}.{text} = {alone(place.tree.code(value))}"),)


def _means_itself(text: str) -> bool:
    """Whether a text is a name that Python leaves as it is where it is written as an attribute."""
    private = text.startswith("__") and not text.endswith("__")
    plain = text.isidentifier() and not keyword.iskeyword(text) and text != "__debug__"
    return plain and not private and unicodedata.normalize("NFKC", text) == text


def attribute_to_buffer(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `self.n += 1` and the like: a buffer, made where the constructor sets the attribute, and written in
    place everywhere else in the class; () unless every use of the attribute stays right when it is a tensor.

    The buffer is not persistent, so checkpoints stay as they are. Always `unsafe`: the attribute becomes a tensor.
    """
    return make_fix(context, _title, Applicability.UNSAFE, _kept, in_class)


def in_class(context: FixContext, *, elements: bool = False) -> FixSite:
    """The place of the finding. Inside a function of a method, its `self` is the method's. `elements`: see `locate`."""
    place = locate(context, elements=elements)
    if place.owner is not None:
        return place
    above = place.path[: place.path.index(place.function)]
    owner = next((n for n in reversed(above) if isinstance(n, cst.ClassDef)), None)
    inside = above[above.index(owner) :] if owner is not None else ()
    methods = [n for n in inside if isinstance(n, cst.FunctionDef)]
    if owner is None or not methods or any("self" in local_names(f) for f in (*methods[1:], place.function)):
        return place
    return replace(place, owner=owner, inference=Inference(place.tree, context, methods[0], owner))


def attribute_of_self(place: FixSite) -> str:
    """The name of the attribute that a finding is about.

    Raises:
        FixNotApplicable: it is none of self, or stands in no class.
    """
    node = place.node
    if not isinstance(node, cst.Attribute) or dotted(node.value) != "self" or place.owner is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an attribute of self")
    kinds = place.inference.kinds(node.value)
    if any(isinstance(kind, domain.Instance) and not kind.external for kind in kinds):
        raise FixNotApplicable(NoFix.STATE_OF_PLAIN_OBJECT, "an object of a class that is no module has no buffers")
    return node.attr.value


def _title(place: FixSite) -> str:
    name = cst.ensure_type(place.node, cst.Attribute).attr.value
    return (IN_PLACE if _registration(place, name) is not None else TITLE).format(name=name)


def _kept(place: FixSite) -> Iterable[Edit]:
    name = attribute_of_self(place)
    already = _registration(place, name)
    made = made_in_constructor(place, name) if already is None else None
    first = already if made is None else made.value
    assert first is not None
    if made is not None and not plain_first(place, first):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the first value is neither a number nor a plain tensor")
    use = uses_of(place, name)
    edits, code = converted(place, State(lambda node: is_own(node, name), name), first, use.writes, use.reads)
    if made is not None:
        edits.append(made.replaced(place, [registered(name, code)]))
    return edits


def registered(name: str, code: str) -> str:
    """The statement that registers a buffer. It is not persistent, so checkpoints stay as they are."""
    return f'self.register_buffer("{name}", {code}, persistent=False)'


def _registration(place: FixSite, name: str) -> cst.BaseExpression | None:
    """What the constructor registers a buffer of that name with; None if it registers none.

    Raises:
        FixNotApplicable: the first value is no plain tensor.
    """
    init = place.inference.submodules.methods.get("__init__")
    for call in below(init.body, cst.Call) if init is not None else ():
        given = call.args[0].value if len(call.args) > 1 else None
        named = given.evaluated_value if isinstance(given, cst.SimpleString) else None
        if dotted(call.func) == "self.register_buffer" and named == name:
            if not plain_tensor(place, call.args[1].value):
                raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the buffer is made elsewhere")
            return call.args[1].value
    return None


def made_in_constructor(place: FixSite, name: str) -> Made:
    """The one assignment of the attribute in the constructor, after `super().__init__()`."""
    assert place.owner is not None
    init = place.inference.submodules.methods.get("__init__")
    if init is None or not any(s is init for s in statements(place.owner.body)):
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the constructor is elsewhere")
    found: list[Made] = []
    ready = False
    for statement in statements(init.body):
        if "__init__" in _called(statement):
            ready = True
        for path in paths(statement):
            last = path[-1]
            if is_own(last, name) and stored(path):
                assign = path[1] if len(path) > 2 else None
                if not ready or not isinstance(assign, cst.Assign):
                    raise FixNotApplicable(
                        NoFix.STATE_INITIAL_VALUE, "the attribute is not simply set in the constructor"
                    )
                found.append(_made(place, assign, path))
    if len(found) != 1:
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the attribute is not set once in the constructor")
    return found[0]


def _made(place: FixSite, assign: cst.Assign, path: Path) -> Made:
    """One of the targets of an assignment, which the path leads to."""
    targets = [t.target for t in assign.targets]
    if len(targets) > 1:
        others = [t for t in targets if t is not path[-1]]
        if len(path) != 4 or not _immutable(assign.value) or not all(dotted(t).startswith("self.") for t in others):
            raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the attribute is not simply set in the constructor")
        return Made(assign, assign.value, tuple([f"{dotted(t)} = {place.tree.code(assign.value)}" for t in others]))
    if len(path) == 4:
        return Made(assign, assign.value)
    target, values = targets[0], assign.value
    if (
        not isinstance(target, cst.Tuple)
        or not isinstance(values, cst.Tuple)
        or len(path) != 6
        or len(target.elements) != len(values.elements)
        or any(isinstance(e, cst.StarredElement) for e in (*target.elements, *values.elements))
        or not all(dotted(e.value).startswith("self.") for e in target.elements)
        or any(dotted(n.value) == "self" for n in below(values, cst.Attribute))
    ):
        raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the attribute is not simply set in the constructor")
    pairs = list(zip([e.value for e in target.elements], [e.value for e in values.elements], strict=True))
    others = tuple([f"{dotted(t)} = {place.tree.code(v)}" for t, v in pairs if t is not path[-1]])
    return Made(assign, next(v for t, v in pairs if t is path[-1]), others)


def _immutable(node: cst.BaseExpression) -> bool:
    """Whether two names of the value of an expression are as good as two values."""
    return isinstance(node, (cst.Integer, cst.Float, cst.UnaryOperation)) or dotted(node) in ("None", "True", "False")


def _called(node: cst.CSTNode) -> set[str]:
    found: set[str] = set()
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        found.add(node.func.attr.value)
    for child in children(node):
        found |= _called(child)
    return found


def is_own(node: cst.CSTNode, name: str) -> bool:
    """Whether an expression is that attribute of self."""
    return isinstance(node, cst.Attribute) and node.attr.value == name and dotted(node.value) == "self"


def of_another_object(place: FixSite, path: Path) -> bool:
    """Whether an attribute is one of self, in a class of the module that has no base and no subclass in common with the owner."""
    node, around = path[-1], next((n for n in reversed(path) if isinstance(n, cst.ClassDef)), None)
    if not isinstance(node, cst.Attribute) or dotted(node.value) != "self" or around is None or place.owner is None:
        return False
    classes = definitions(place.tree.module).classes
    if classes.get(around.name.value) is not around or classes.get(place.owner.name.value) is not place.owner:
        return False
    families = _families(place.tree.module)
    return around.name.value not in families[place.owner.name.value] | families.get("", frozenset())


@once
def _families(module: cst.Module) -> Mapping[str, frozenset[str]]:
    """The classes of a module, each with those that have a base or a subclass in common with it. A base of another form than a
    name, '', may be any of them."""
    classes, families = definitions(module).classes, list[frozenset[str]]()
    for name, one in classes.items():
        kin = frozenset((name, *[dotted(base.value) for base in one.bases])) & {*classes, ""}
        kin = kin.union(*(family for family in families if family & kin))
        families = [*(family for family in families if not family & kin), kin]
    return {name: family for family in families for name in family}


def uses_of(place: FixSite, name: str) -> Use:
    """Every place of the class, outside the constructor, where the attribute is read or written."""
    assert place.owner is not None
    use = Use()
    for path, _ in attribute_paths(place, name):
        is_stored = stored(path)
        if not of_self(place, path):
            if is_stored and not of_another_object(place, path):
                raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "the attribute is also written from outside")
            continue
        functions = functions_around(path)
        if functions and functions[0].name.value == "__init__":
            if not is_stored:
                raise FixNotApplicable(NoFix.STATE_INITIAL_VALUE, "the constructor reads the attribute")
            continue
        if is_stored and functions and any(registers(call) for call in below(functions[0], cst.Call)):
            raise FixNotApplicable(
                NoFix.UNTRACEABLE, "the flag records a one-time registration, which a graph cannot perform"
            )
        (use.writes if is_stored else use.reads).append(path)
    return use
