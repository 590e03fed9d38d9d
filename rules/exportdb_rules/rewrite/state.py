"""State kept in a plain attribute, as a registered buffer: export keeps what is written to a buffer in place.

Measured on torch 2.13: `self.n += 1` on a number is lost in the exported program (it computes every call as if it
were the first), on a buffer it is kept, in both modes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.inference import Inference
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.signature import SCALAR, Held, Number, Signature, Tensor, agree
from exportdb_rules.rewrite.tree import children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Keep `self.{name}` in a buffer"

_IN_PLACE: Final = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign)
# Constructors of plain tensors whose result can be registered as it stands.
_TENSORS: Final = frozenset(("zeros", "ones", "full", "tensor", "arange", "eye", "linspace"))


@dataclass(eq=False)
class _Use:
    """What the class does with the attribute, outside its constructor."""

    writes: list[tuple[cst.CSTNode, ...]] = field(default_factory=list[tuple[cst.CSTNode, ...]])
    reads: list[tuple[cst.CSTNode, ...]] = field(default_factory=list[tuple[cst.CSTNode, ...]])


def attribute_to_buffer(context: FixContext) -> tuple[Fix, ...]:
    """The fix for `self.n += 1` and the like: a buffer, made where the constructor sets the attribute, and written in
    place everywhere else in the class; () unless every use of the attribute stays right when it is a tensor.

    The buffer is not persistent, so checkpoints stay as they are. Always `unsafe`: the attribute becomes a tensor.
    """
    try:
        place = locate(context)
        edits = _edits(place)
    except Refused:
        return ()
    node = place.node
    assert isinstance(node, cst.Attribute)
    if not edits:
        return ()
    return (Fix(TITLE.format(name=node.attr.value), Applicability.UNSAFE, edits, preferred=True),)


def _edits(place: Place) -> tuple[Edit, ...]:
    node = place.node
    if not isinstance(node, cst.Attribute) or dotted(node.value) != "self" or place.owner is None:
        raise Refused("no attribute of self")
    name = node.attr.value
    made = _made(place, name)
    use = _uses(place, name)
    number = not isinstance(made.value, cst.Call)
    for path in use.reads:
        _check_read(place, path, number)
    kept: list[Signature] = []
    edits: list[Edit] = []
    for path in use.writes:
        signature, edit = _write(place, path, number)
        kept.append(signature)
        if edit is not None:
            edits.append(edit)
    if any(isinstance(s, Tensor) for s in kept) and number and not isinstance(made.value, cst.Float):
        raise Refused("a number that becomes a tensor of another kind")
    span = place.tree.span(made)
    assert span is not None
    edits.append(Edit(span, _registered(place, name, made.value, kept)))
    return finished(place, tuple(edits))


def _made(place: Place, name: str) -> cst.Assign:
    """The one assignment of the attribute in the constructor, after `super().__init__()`."""
    assert place.owner is not None
    init = place.inference.submodules.methods.get("__init__")
    if init is None or not any(s is init for s in statements(place.owner.body)):
        raise Refused("the constructor is elsewhere")
    found: list[cst.Assign] = []
    ready = False
    for statement in statements(init.body):
        if "__init__" in _called(statement):
            ready = True
        for path in _paths(statement, (statement,)):
            last = path[-1]
            if _is(last, name) and _stored(path):
                assign = path[-3] if len(path) > 2 else None
                if not ready or not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or len(path) != 4:
                    raise Refused("the attribute is not simply set in the constructor")
                found.append(assign)
    if len(found) != 1:
        raise Refused("the attribute is not set once in the constructor")
    value = found[0].value
    literal = isinstance(value, (cst.Integer, cst.Float)) or dotted(value) in ("True", "False")
    if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
        literal = isinstance(value.expression, (cst.Integer, cst.Float))
    plain = (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Attribute)
        and dotted(value.func.value) == place.torch
        and value.func.attr.value in _TENSORS
    )
    if not literal and not plain:
        raise Refused("the first value is neither a number nor a plain tensor")
    return found[0]


def _called(node: cst.CSTNode) -> set[str]:
    found: set[str] = set()
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        found.add(node.func.attr.value)
    for child in children(node):
        found |= _called(child)
    return found


def _paths(node: cst.CSTNode, path: tuple[cst.CSTNode, ...]) -> Iterator[tuple[cst.CSTNode, ...]]:
    yield path
    for child in children(node):
        yield from _paths(child, (*path, child))


def _is(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == name and dotted(node.value) == "self"


def _stored(path: tuple[cst.CSTNode, ...]) -> bool:
    parent, node = path[-2], path[-1]
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)):
        return parent.target is node
    return isinstance(parent, cst.Element) and any(isinstance(n, cst.AssignTarget) for n in path)


def _uses(place: Place, name: str) -> _Use:
    """Every place of the class, outside the constructor, where the attribute is read or written."""
    assert place.owner is not None
    use = _Use()
    for path in _paths(place.tree.module, (place.tree.module,)):
        node = path[-1]
        if not isinstance(node, cst.Attribute) or node.attr.value != name:
            continue
        stored = _stored(path)
        if not any(n is place.owner for n in path) or dotted(node.value) != "self":
            if stored:
                raise Refused("the attribute is also written from outside")
            continue
        functions = [n for n in path if isinstance(n, cst.FunctionDef)]
        if functions and functions[0].name.value == "__init__":
            if not stored:
                raise Refused("the constructor reads the attribute")
            continue
        (use.writes if stored else use.reads).append(path)
    return use


def _check_read(place: Place, path: tuple[cst.CSTNode, ...], number: bool) -> None:
    """Raises Refused where a tensor would not do what the number (or the other tensor object) did."""
    at = len(path) - 1
    while at > 0 and isinstance(
        path[at - 1], (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.ComparisonTarget)
    ):
        at -= 1
        here = path[at]
        if isinstance(here, cst.ComparisonTarget) and isinstance(here.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)):
            raise Refused("the attribute's identity is asked for")
    top, parent = path[at], path[at - 1]
    if top is path[-1]:
        # The bare attribute.
        if isinstance(parent, (cst.If, cst.While, cst.IfExp)) and parent.test is top:
            return
        if not number and isinstance(parent, (cst.Arg, cst.Attribute)):
            call = next((n for n in reversed(path[:at]) if isinstance(n, cst.Call)), None)
            if call is not None and _fresh(place, call):
                return
        if isinstance(parent, cst.AugAssign) and parent.value is top:
            return
        raise Refused("the attribute itself is handed on")
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)) or not number:
        return
    if isinstance(parent, cst.Assign) and any(_is(t.target, _name(path[-1])) for t in parent.targets):
        return
    value = place.inference.value(top)
    if value is None or not all(type(c) is domain.Tensor for c in domain.choices(value)):
        raise Refused("a number is computed from the attribute")


def _name(node: cst.CSTNode) -> str:
    assert isinstance(node, cst.Attribute)
    return node.attr.value


def _fresh(place: Place, call: cst.Call) -> bool:
    """Whether a call of torch's gives a tensor of its own."""
    known = place.inference.infer(call, {"self": Number()})
    value = place.inference.value(call)
    tensor = value is not None and all(type(c) is domain.Tensor for c in domain.choices(value))
    return tensor and isinstance(known, Tensor) and all(r.startswith("#") for r in known.roots)


def _write(place: Place, path: tuple[cst.CSTNode, ...], number: bool) -> tuple[Signature, Edit | None]:
    """What a write puts in, and the edit that makes it one in place."""
    node = path[-1]
    function = next(n for n in path if isinstance(n, cst.FunctionDef))
    inference = place.inference if function is place.function else _elsewhere(place, function)
    statement = path[: max(i for i, n in enumerate(path) if isinstance(n, cst.SimpleStatementLine)) + 1]
    env = inference.before(statement)
    owner = path[-2]
    if isinstance(owner, cst.AugAssign):
        if not isinstance(owner.operator, _IN_PLACE):
            raise Refused("an operator that a tensor may not do in place")
        added = inference.infer(owner.value, env)
        _fits(added, number)
        return added, None
    assign = path[-3]
    if not isinstance(owner, cst.AssignTarget) or not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        raise Refused("an unusual assignment")
    value = inference.infer(assign.value, env)
    reads = any(_is(p[-1], _name(node)) for p in _paths(assign.value, (assign, assign.value)))
    if isinstance(value, Tensor) and not number:
        held = Tensor(value.dtype, Held(dotted(node)), frozenset())
        if not reads and not agree(value, held):
            raise Refused("the new value may have another shape than the buffer")
    else:
        _fits(value, number)
    span = place.tree.span(assign)
    assert span is not None
    method = "fill_" if isinstance(value, Number) and not reads else "copy_"
    code = place.tree.code(assign.value.with_changes(lpar=[], rpar=[]) if assign.value.lpar else assign.value)
    return value, Edit(span, f"{place.tree.code(node)}.{method}({code})")


def _elsewhere(place: Place, function: cst.FunctionDef) -> Inference:
    return Inference(place.tree, place.inference.context, function, place.owner)


def _fits(value: Signature, number: bool) -> None:
    if isinstance(value, Number):
        return
    if isinstance(value, Tensor) and (not number or value.shape == SCALAR):
        return
    raise Refused("it is not known what is written")


def _registered(place: Place, name: str, value: cst.BaseExpression, kept: list[Signature]) -> str:
    code = place.tree.code(value)
    if not isinstance(value, cst.Call):
        floats = any(isinstance(s, Number) and s.floating for s in kept)
        tensors = any(isinstance(s, Tensor) for s in kept)
        if tensors:
            code = f"{place.torch}.tensor({code})"
        elif floats or "." in code or ("e" in code.lower() and code not in ("True", "False")):
            # Python counts in double precision.
            code = f"{place.torch}.tensor({code}, dtype={place.torch}.float64)"
        else:
            code = f"{place.torch}.tensor({code})"
    return f'self.register_buffer("{name}", {code}, persistent=False)'
