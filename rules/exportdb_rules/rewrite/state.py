"""State kept in a plain attribute, as a registered buffer: export keeps what is written to a buffer in place.

Measured on torch 2.13: `self.n += 1` on a number is lost in the exported program (it computes every call as if it
were the first), on a buffer it is kept, in both modes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit, Fix, Span
from exportdb_rules.rewrite.finished import finished
from exportdb_rules.rewrite.inference import Inference
from exportdb_rules.rewrite.mutation import changes
from exportdb_rules.rewrite.place import Place, locate
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.signature import (
    INTEGERS,
    SCALAR,
    Broadcast,
    Number,
    Reduced,
    Signature,
    Tensor,
    agree,
    leaves,
    numeric,
)
from exportdb_rules.rewrite.tree import below, children, dotted, occurrences, statements

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.inference import Environment

TITLE: Final = "Keep `self.{name}` in a buffer"
IN_PLACE: Final = "Write the buffer `self.{name}` in place"

_IDENTITY: Final = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
_LOOKED_AT: Final = frozenset(("shape", "dtype", "device", "ndim", "size", "dim", "numel", "is_cuda", "requires_grad"))
_IN_PLACE: Final = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign)
# Constructors of plain tensors whose result can be registered as it stands.
_TENSORS: Final = frozenset(("zeros", "ones", "full", "tensor", "arange", "eye", "linspace"))


@dataclass(eq=False)
class _Use:
    """What the class does with the attribute, outside its constructor."""

    writes: list[tuple[cst.CSTNode, ...]] = field(default_factory=list[tuple[cst.CSTNode, ...]])
    reads: list[tuple[cst.CSTNode, ...]] = field(default_factory=list[tuple[cst.CSTNode, ...]])


def setattr_to_assignment(context: FixContext) -> tuple[Fix, ...]:
    """`setattr(self, "name", value)` as `self.name = value`. `safe`: it is the same."""
    try:
        place = locate(context)
    except Refused:
        return ()
    call = place.node
    if not isinstance(call, cst.Call) or dotted(call.func) != "setattr" or len(call.args) != 3:
        return ()
    owner, name, value = [a.value for a in call.args]
    if any(a.star or a.keyword is not None for a in call.args) or not isinstance(name, cst.SimpleString):
        return ()
    text = name.evaluated_value
    span = place.tree.span(call)
    if not isinstance(text, str) or not text.isidentifier() or not dotted(owner) or span is None:
        return ()
    if not isinstance(place.path[-2], cst.Expr):
        return ()
    edits = finished(place, (Edit(span, f"{place.tree.code(owner)}.{text} = {place.tree.code(value)}"),))
    return (Fix("Assign the attribute", Applicability.SAFE, edits, preferred=True),) if edits else ()


@dataclass(frozen=True, slots=True)
class _Buffer:
    """What the attribute was: a number, one without a fraction; and whether tensors are written to it."""

    number: bool
    whole: bool
    tensors: bool


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
    if not edits or not isinstance(node, cst.Attribute):
        return ()
    title = IN_PLACE if _registration(place, node.attr.value) is not None else TITLE
    return (Fix(title.format(name=node.attr.value), Applicability.UNSAFE, edits, preferred=True),)


def _edits(place: Place) -> tuple[Edit, ...]:
    node = place.node
    if not isinstance(node, cst.Attribute) or dotted(node.value) != "self" or place.owner is None:
        raise Refused("no attribute of self")
    name = node.attr.value
    registered = _registration(place, name)
    made = _made(place, name) if registered is None else None
    first = registered if made is None else made.value
    assert first is not None
    use = _uses(place, name)
    number = not isinstance(first, cst.Call)
    kept: list[Signature] = []
    edits: list[Edit] = []
    for path in use.writes:
        signature, edit = _write(place, path, number, first)
        kept.append(signature)
        if edit is not None:
            edits.append(edit)
    kind = _Buffer(number, not isinstance(first, cst.Float), any(isinstance(s, Tensor) for s in kept))
    edits += [edit for path in use.reads if (edit := _read(place, path, kind)) is not None]
    if any(isinstance(s, Tensor) for s in kept) and number and not isinstance(first, cst.Float):
        raise Refused("a number that becomes a tensor of another kind")
    span = place.tree.span(made) if made is not None else None
    if span is not None:
        edits.append(Edit(span, _registered(place, name, first, kept)))
    return finished(place, tuple(edits))


def _registration(place: Place, name: str) -> cst.BaseExpression | None:
    """What the constructor registers a buffer of that name with; None if it registers none.

    Raises:
        Refused: the first value is no plain tensor.
    """
    init = place.inference.submodules.methods.get("__init__")
    for call in below(init.body, cst.Call) if init is not None else ():
        given = call.args[0].value if len(call.args) > 1 else None
        named = given.evaluated_value if isinstance(given, cst.SimpleString) else None
        if dotted(call.func) == "self.register_buffer" and named == name:
            if not _plain_tensor(place, call.args[1].value):
                raise Refused("the buffer is made elsewhere")
            return call.args[1].value
    return None


def _plain_tensor(place: Place, value: cst.BaseExpression) -> bool:
    """Whether an expression makes a tensor that can be registered as it stands."""
    return (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Attribute)
        and dotted(value.func.value) == place.torch
        and value.func.attr.value in _TENSORS
    )


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
    if not literal and not _plain_tensor(place, value):
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


def _read(place: Place, path: tuple[cst.CSTNode, ...], kind: _Buffer) -> Edit | None:
    """The edit that keeps a read right when the attribute is a buffer, None where none is needed.

    Raises:
        Refused: a tensor would not do what the number did, or its identity is asked for.
    """
    if any(isinstance(n, cst.ComparisonTarget) and isinstance(n.operator, _IDENTITY) for n in path) or any(
        isinstance(c.operator, _IDENTITY) for n in path if isinstance(n, cst.Comparison) for c in n.comparisons
    ):
        raise Refused("the attribute's identity is asked for")
    method = _number_read(place, path, kind) if kind.number else "" if _sees_no_write(place, path) else ".clone()"
    span = place.tree.span(path[-1])
    assert span is not None
    return Edit(Span(span.end, span.end), method) if method else None


def _sees_no_write(place: Place, path: tuple[cst.CSTNode, ...]) -> bool:
    """Whether a read of a tensor only looks, writes the tensor itself, or makes another of it at once.

    What is handed on was a tensor that no later call wrote; a buffer is written.
    """
    parent = path[-2]
    if isinstance(parent, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.ComparisonTarget)):
        return True
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
        return parent.test is path[-1]
    if isinstance(parent, cst.AugAssign):
        return parent.value is path[-1]
    if isinstance(parent, cst.Attribute):
        name = parent.attr.value
        if name in _LOOKED_AT:
            return True
        if name.endswith("_") and not name.startswith("_"):
            return isinstance(path[-4], cst.Expr)
    if isinstance(parent, cst.Subscript) and any(isinstance(n, (cst.AssignTarget, cst.AugAssign)) for n in path):
        holder = next(n for n in reversed(path) if isinstance(n, (cst.AssignTarget, cst.AugAssign)))
        return any(n is holder.target for n in path)
    if isinstance(parent, (cst.Arg, cst.Attribute)):
        call = next((n for n in reversed(path) if isinstance(n, cst.Call)), None)
        return call is not None and _fresh(place, call)
    return False


def _number_read(place: Place, path: tuple[cst.CSTNode, ...], kind: _Buffer) -> str:
    """The method that is to be called on the buffer where its number was read, '' if none is.

    What Python computed from an integer with fractions, in double precision, torch would compute in single precision.
    """
    at = len(path) - 1
    while (above := _computed(path[: at + 1])) and _python(place, path[at - above]):
        at -= above
        operator = getattr(path[at], "operator", None)
        if isinstance(operator, cst.Power) and _python(place, path[at]) is int:
            raise Refused("a power of integers is a fraction for negative exponents")
    fraction = kind.whole and _python(place, path[at]) is float
    double = fraction or not (kind.whole or kind.tensors)
    _check_taken(place, path[: at + 1], double, _name(path[-1]), set())
    kept = isinstance(path[at - 1], cst.Assign) and at == len(path) - 1
    return ".double()" if fraction else ".clone()" if kept else ""


def _computed(path: tuple[cst.CSTNode, ...]) -> int:
    """How far above a number stands what is computed from it: in arithmetic, or by `min` and `max` of two; 0 if it is
    not."""
    if isinstance(path[-2], (cst.BinaryOperation, cst.UnaryOperation)):
        return 1
    call = path[-3] if len(path) > 2 and isinstance(path[-2], cst.Arg) else None
    limits = isinstance(call, cst.Call) and dotted(call.func) in ("min", "max") and len(call.args) == 2
    return 2 if limits and not any(a.keyword or a.star for a in cst.ensure_type(call, cst.Call).args) else 0


def _python(place: Place, node: cst.CSTNode) -> type | None:
    """The type of an expression that is a Python number, None for any other."""
    value = place.inference.value(node)
    kinds: set[str] = set()
    for choice in domain.choices(value) if value is not None else ():
        if isinstance(choice, domain.Const):
            kinds.add(type(choice.value).__name__)
        else:
            kinds.add(choice.type if isinstance(choice, (domain.Static, domain.TraceTime)) else "")
    if not kinds or not kinds <= {"int", "float", "bool"}:
        return None
    return float if "float" in kinds else int


def _check_taken(place: Place, path: tuple[cst.CSTNode, ...], double: bool, attribute: str, seen: set[str]) -> None:
    """Raises Refused unless a number, which comes from the attribute, is put where a tensor does as well: in arithmetic
    with tensors, in a condition, back into the attribute; by way of local names, perhaps."""
    top, parent = path[-1], path[-2]
    above = _computed(path)
    if above and _python(place, path[-1 - above]):
        # Part of a number that began somewhere else.
        return _check_taken(place, path[:-above], double, attribute, seen)
    if isinstance(parent, cst.BinaryOperation):
        other = parent.right if parent.left is top else parent.left
        if _python(place, other):
            return _check_taken(place, path[:-1], double, attribute, seen)
        return _check_partner(place, other, double)
    if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
        return None
    if isinstance(parent, (cst.If, cst.While, cst.IfExp)) and parent.test is top:
        return None
    if isinstance(parent, cst.AugAssign) and parent.value is top:
        return _check_partner(place, parent.target, double)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        raise Refused("a number is computed from the attribute")
    target = parent.targets[0].target
    if _is(target, attribute):
        return None
    function = next((n for n in reversed(path) if isinstance(n, cst.FunctionDef)), None)
    if not isinstance(target, cst.Name) or function is None:
        raise Refused("a number that comes from the attribute is kept")
    if target.value not in seen:
        seen.add(target.value)
        for use in occurrences(function.body, target.value):
            if not isinstance(use[-2], cst.AssignTarget):
                _check_taken(place, (function, *use), double, attribute, seen)
    return None


def _check_partner(place: Place, other: cst.CSTNode, double: bool) -> None:
    """Raises Refused unless an operand is a tensor whose dtype a number of no dimensions leaves alone."""
    value = place.inference.value(other)
    tensors = list(domain.choices(value)) if value is not None else []
    if not tensors or not all(type(c) is domain.Tensor for c in tensors):
        raise Refused("a number is computed from the attribute")
    for tensor in tensors:
        assert isinstance(tensor, domain.Tensor)
        if tensor.rank == 0 and (double or tensor.dtype in INTEGERS - {"int64"}):
            raise Refused("between two tensors without dimensions the wider dtype wins")


def _name(node: cst.CSTNode) -> str:
    assert isinstance(node, cst.Attribute)
    return node.attr.value


def _fresh(place: Place, call: cst.Call) -> bool:
    """Whether a call of torch's gives a tensor of its own."""
    known = place.inference.infer(call, {"self": Number()})
    value = place.inference.value(call)
    tensor = value is not None and all(type(c) is domain.Tensor for c in domain.choices(value))
    return tensor and isinstance(known, Tensor) and all(r.startswith("#") for r in known.roots)


def _write(
    place: Place, path: tuple[cst.CSTNode, ...], number: bool, first: cst.BaseExpression
) -> tuple[Signature, Edit | None]:
    """What a write puts in, and the edit that makes it one in place."""
    node = path[-1]
    function = next(n for n in path if isinstance(n, cst.FunctionDef))
    inference = place.inference if function is place.function else _elsewhere(place, function)
    statement = path[: max(i for i, n in enumerate(path) if isinstance(n, cst.SimpleStatementLine)) + 1]
    made = place.inference.infer(first, {})
    if not number:
        inference.known.update(
            {
                a: replace(made, roots=frozenset((dotted(a),)))
                for a in below(function.body, cst.Attribute)
                if _is(a, _name(node))
            }
            if isinstance(made, Tensor)
            else {}
        )
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
        _refuse_other_shape(place, value, env, made, dotted(node))
    elif not number:
        raise Refused("what was a tensor becomes something else")
    else:
        _fits(value, number)
    span = place.tree.span(assign)
    assert span is not None
    method = "fill_" if isinstance(value, Number) and not reads else "copy_"
    code = place.tree.code(assign.value.with_changes(lpar=[], rpar=[]) if assign.value.lpar else assign.value)
    return value, Edit(span, f"{place.tree.code(node)}.{method}({code})")


def _refuse_other_shape(place: Place, value: Tensor, env: Environment, first: Signature, code: str) -> None:
    """Raises Refused unless a value is sure to have the shape and dtype that the buffer is made with."""
    if not isinstance(first, Tensor) or first.dtype is None or value.dtype != first.dtype:
        raise Refused("the new value may have another dtype than the buffer")
    if not agree(value, first) and not _running(value.shape, first.shape):
        raise Refused("the new value may have another shape than the buffer")
    shared = {
        root for known in env.values() for leaf in leaves(known) if isinstance(leaf, Tensor) for root in leaf.roots
    }
    if any(root in shared or not root.startswith("#") for root in value.roots - {code}):
        # It was the very tensor that is copied now: nobody may write that afterwards.
        methods = place.inference.submodules.methods.values()
        written = {name for method in methods for name in changes(statements(method.body)).names}
        if written - {"self"}:
            raise Refused("the tensor that is kept may be written later")


def _running(shape: Hashable, first: Hashable) -> bool:
    """Whether a shape is that of the buffer and of statistics that are added to it, as of running means."""
    numbers, known = numeric(shape), numeric(first)
    if numbers is not None and known is not None:
        return numbers == known
    parts = shape.parts if isinstance(shape, Broadcast) else frozenset((shape,))
    return first is not None and first in parts and all(p == first or isinstance(p, Reduced) for p in parts)


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
