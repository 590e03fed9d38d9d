"""What must hold wherever a piece of state is read or written, so that a buffer can stand for it.

The state is spelled in many ways: an attribute of self, an item of a dict there, a name of the module. What a tensor
does differently from a Python number, or from a tensor that nobody writes in place, is the same for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.finding import Edit, Span
from exportdb_rules.interpreter.shape_tokens import parts_of
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.buffers.number_types import python_type
from exportdb_rules.rewrite.buffers.state_numbers import Flow
from exportdb_rules.rewrite.fix_site import new_name
from exportdb_rules.rewrite.known.inference import Inference
from exportdb_rules.rewrite.known.liveness import code_after
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.observed import of_value
from exportdb_rules.rewrite.known.signature import (
    DEFAULT_FLOAT,
    SCALAR,
    UNKNOWN,
    Items,
    Number,
    Other,
    Signature,
    TensorSignature,
    agree,
    floating,
    leaves,
    numeric,
    reduced_from,
)
from exportdb_rules.rewrite.parts import parts
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from exportdb_rules.rewrite.fix_site import FixSite
    from exportdb_rules.rewrite.known.inference import Environment

_IDENTITY: Final = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
_LOOKED_AT: Final = frozenset(("shape", "dtype", "device", "ndim", "size", "dim", "numel", "is_cuda", "requires_grad"))
_IN_PLACE: Final = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign)
_ON_FLOATS: Final = (cst.DivideAssign, cst.PowerAssign)
_ON_NUMBERS: Final = (cst.FloorDivideAssign, cst.ModuloAssign)

# Operations of which autograd keeps the operands; and functions of which it keeps none.
_OF_FACTORS: Final = (cst.Multiply, cst.MatrixMultiply, cst.Divide, cst.Power, cst.Modulo)
_KEEPING_NOTHING: Final = frozenset(
    ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "where", "add", "sub", "roll")
)

Path = tuple[cst.CSTNode, ...]


@dataclass(frozen=True, eq=False)
class State:
    """`same` tells the expressions that stand for the state; `buffer` is the attribute of self that shall hold it."""

    same: Callable[[cst.CSTNode], bool]
    buffer: str

    @property
    def code(self) -> str:
        """The buffer as code."""
        return f"self.{self.buffer}"


@dataclass(frozen=True, slots=True)
class Buffer:
    """What the attribute was: a number, one without a fraction; and whether tensors are written to it."""

    number: bool
    whole: bool
    tensors: bool


def paths(*path: cst.CSTNode) -> Iterator[Path]:
    """The path down to a node, and those to all nodes below it, in the order of the text."""
    stack: list[Path] = [path]
    while stack:
        path = stack.pop()
        yield path
        stack += [(*path, child) for child in reversed(children(path[-1]))]


def attribute_paths(place: FixSite, name: str) -> Iterator[tuple[Path, cst.Attribute]]:
    """Every place of the text where an attribute of that name is read or written, of whatever object but torch and tensors."""
    module = place.tree.module
    for top in [*parts(module).mentioning(name)]:
        for path in paths(module, top):
            node = path[-1]
            if not isinstance(node, cst.Attribute) or node.attr.value != name:
                continue
            if dotted(node.value) == "self" or not _of_torch(place, path, node.value):
                yield path, node


def _of_torch(place: FixSite, path: Path, node: cst.BaseExpression) -> bool:
    """Whether an expression is torch or a tensor, also in code that tracing does not come to on the first call."""
    if dotted(node) == place.torch or place.inference.is_tensor(node):
        return True
    functions = functions_around(path)
    if not isinstance(node, cst.Name) or len(functions) != 1:
        return False
    inference = inference_of(place, functions[0])
    return isinstance(inference.infer(node, inference.before(upto_statement(path))), TensorSignature)


def functions_around(path: Path) -> list[cst.FunctionDef]:
    """The functions that a place stands in, the outermost first."""
    return [n for n in path if isinstance(n, cst.FunctionDef)]


def of_self(place: FixSite, path: Path) -> bool:
    """Whether an attribute is one of self, in the class of the place."""
    node = path[-1]
    return isinstance(node, cst.Attribute) and dotted(node.value) == "self" and any(n is place.owner for n in path)


def set_by_constructor(place: FixSite, path: Path) -> bool:
    """Whether the constructor of the class sets the attribute there."""
    functions = functions_around(path)
    return of_self(place, path) and bool(functions) and functions[0].name.value == "__init__" and stored(path)


def stored(path: Path) -> bool:
    parent, node = path[-2], path[-1]
    if isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del)):
        return parent.target is node
    return isinstance(parent, cst.Element) and any(isinstance(n, cst.AssignTarget) for n in path)


def upto_statement(path: Path) -> Path:
    """The path down to the line that a place stands on, or to the statement whose only line it is: `if …: self.h = x`."""
    kinds = (cst.SimpleStatementLine, cst.BaseCompoundStatement)
    return path[: max(i for i, n in enumerate(path) if isinstance(n, kinds)) + 1]


def read(place: FixSite, path: Path, kind: Buffer, state: State) -> list[Edit]:
    """The edits that keep a read right when the attribute is a buffer.

    Raises:
        FixNotApplicable: a tensor would not do what the number did, or its identity is asked for.
    """
    refuse_identity(path)
    flow = Flow(place, state, whole=kind.whole, tensors=kind.tensors)
    if kind.number:
        method = flow.method(path)
    else:
        method = copied(place, path, state)
    span = place.tree.span(path[-1])
    assert span is not None
    return [*flow.edits.values(), *([Edit(Span(span.end, span.end), method)] if method else [])]


def refuse_identity(path: Path) -> None:
    """Raises FixNotApplicable where the identity of what is read is tested."""
    if any(isinstance(n, cst.ComparisonTarget) and isinstance(n.operator, _IDENTITY) for n in path) or any(
        isinstance(c.operator, _IDENTITY) for n in path if isinstance(n, cst.Comparison) for c in n.comparisons
    ):
        raise FixNotApplicable(NoFix.STATE_USED_ELSEWHERE, "the attribute's identity is tested")


def copied(place: FixSite, path: Path, state: State) -> str:
    """The `.clone()` of a read whose tensor somebody keeps while the buffer is written; '' where nobody does."""
    return "" if sees_no_write(place, path) and not _kept_for_backward(place, path, state) else ".clone()"


def sees_no_write(place: FixSite, path: Path) -> bool:
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
    while isinstance(path[-2], cst.Subscript) and path[-2].value is path[-1]:
        path = path[:-1]
    listed = isinstance(path[-2], cst.Element) and isinstance(path[-4], cst.Arg)
    if listed or isinstance(parent, (cst.Arg, cst.Attribute)):
        call = next((n for n in reversed(path[:-1]) if isinstance(n, cst.Call)), None)
        return call is not None and _fresh(place, call)
    return False


def _kept_for_backward(place: FixSite, path: Path, state: State) -> bool:
    """Whether autograd keeps what is read, which the function then writes: a factor of a product, or an argument of a function,
    beside a tensor that may need a gradient."""
    line, function = upto_statement(path), functions_around(path)[-1]
    later = [use for statement in (line[-1], *code_after(line, function)) for use in paths(statement)]
    if not any(state.same(use[-1]) and stored(use) for use in later):
        return False
    while isinstance(path[-2], cst.Subscript) and path[-2].value is path[-1]:
        path = path[:-1]
    parent, around = path[-2], path[-3]
    others: list[cst.BaseExpression] = []
    if isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, _OF_FACTORS):
        others = [parent.right if parent.left is path[-1] else parent.left]
    elif isinstance(parent, (cst.Arg, cst.Attribute)) and isinstance(around, cst.Call):
        receiver = [around.func.value] if isinstance(around.func, cst.Attribute) else []
        if dotted(around.func).rpartition(".")[2] not in _KEEPING_NOTHING:
            others = [one for one in (*receiver, *[arg.value for arg in around.args]) if one is not path[-1]]
    return any(
        isinstance(one, domain.Tensor)
        for other in others
        for one in lattice.choices(place.inference.value(other) or domain.TOP)
    )


def _fresh(place: FixSite, call: cst.Call) -> bool:
    """Whether a call of torch's gives a tensor of its own."""
    known = place.inference.infer(call, {"self": Number()})
    tensor = place.inference.is_tensor(call)
    return tensor and isinstance(known, TensorSignature) and all(r.startswith("#") for r in known.storages)


def write(
    place: FixSite, path: Path, number: bool, first: cst.BaseExpression, state: State
) -> tuple[Signature, tuple[Edit, ...]]:
    """What a write puts in, and the edits that make it one in place.

    Raises:
        FixNotApplicable: what is written is not sure to fit.
    """
    made = place.inference.infer(first, {})
    held = (
        replace(made, storages=frozenset((state.code,))) if isinstance(made, TensorSignature) and not number else None
    )
    inference, env = signatures_of_state(place, path, held, state)
    owner = path[-2]
    if isinstance(owner, cst.AugAssign):
        allowed = isinstance(owner.operator, _IN_PLACE)
        allowed |= number and isinstance(owner.operator, _ON_NUMBERS)
        allowed |= isinstance(owner.operator, _ON_FLOATS) and (
            python_type(place, first) is float if number else _floating(made)
        )
        if not allowed:
            raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "an operator that a tensor may not do in place")
        added = inference.infer(owner.value, env)
        _fits(added, number)
        return added, ()
    if isinstance(owner, cst.Element):
        value, taken = _unpacked(place, path, inference, env, state)
        refuse_unfit(place, value, number, env, made, state)
        return value, taken
    assign = path[-3]
    if not isinstance(owner, cst.AssignTarget) or not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported assignment")
    value = inference.infer(assign.value, env)
    kind = python_type(place, assign.value) if isinstance(value, Other) else None
    if kind is not None:
        value = Number(floating=kind is float)
    reads = [p[-1] for p in paths(assign, assign.value) if state.same(p[-1])]
    refuse_unfit(place, value, number, env, made, state)
    span = place.tree.span(assign)
    assert span is not None
    method = "fill_" if isinstance(value, Number) and not reads else "copy_"
    code = place.tree.code(assign.value.with_changes(lpar=[], rpar=[]) if assign.value.lpar else assign.value)
    if not reads:
        return value, (Edit(span, f"{state.code}.{method}({code})"),)
    # What is read on the right side is edited there.
    inner = place.tree.span(assign.value)
    if inner is None or len(assign.value.lpar) > 1:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported assignment")
    edits = [Edit(Span(span.start, inner.start), f"{state.code}.{method}(")]
    if not assign.value.lpar:
        edits.append(Edit(Span(span.end, span.end), ")"))
    return value, tuple(edits)


def signatures_of_state(
    place: FixSite, path: Path, held: Signature | None, state: State
) -> tuple[Inference, Environment]:
    """What is known before the statement of a write, where the state is `held`."""
    function = next(n for n in path if isinstance(n, cst.FunctionDef))
    inference = inference_of(place, function)
    if held is not None:
        inference.known.update({a: held for a in below(function.body, cst.BaseExpression) if state.same(a)})
    return inference, inference.before(upto_statement(path))


def refuse_unfit(
    place: FixSite, value: Signature, number: bool, env: Environment, made: Signature, state: State
) -> None:
    """Raises FixNotApplicable unless what is written is sure to fit into the buffer."""
    if isinstance(value, TensorSignature) and not number:
        _refuse_other_shape(place, value, env, made, state.code)
    elif not number:
        raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "what was a tensor becomes something else")
    else:
        _fits(value, number)


def _unpacked(
    place: FixSite, path: Path, inference: Inference, env: Environment, state: State
) -> tuple[Signature, tuple[Edit, ...]]:
    """One of several targets: `y, self.h = self.cell(x)`. It becomes a local name, from which a line behind writes it."""
    value = unpacked(path, inference, env)
    return value, through_names(place, path, [state.buffer], "".join)


def through_names(
    place: FixSite, path: Path, buffers: Sequence[str], target: Callable[[list[str]], str]
) -> tuple[Edit, Edit]:
    """The edits that make a target of an assignment local names, which `target` puts together, from which lines behind write the
    buffers of self.

    Raises:
        FixNotApplicable: the line is more than an assignment of one value.
    """
    _, line = line_of_assignment(path)
    span, whole = place.tree.span(path[-1]), place.tree.span(line)
    assert span is not None
    assert whole is not None
    names = [new_name(place, buffer) for buffer in buffers]
    indent = "\n" + " " * (whole.start.column - 1)
    copies = [f"{indent}self.{buffer}.copy_({name})" for buffer, name in zip(buffers, names, strict=True)]
    return Edit(span, target(names)), Edit(Span(whole.end, whole.end), "".join(copies))


def line_of_assignment(path: Path) -> tuple[cst.Assign, cst.SimpleStatementLine]:
    """The assignment that a target stands in, of one value to one target or several, and its line, which has nothing else.

    Raises:
        FixNotApplicable: it is no such assignment.
    """
    at = next((i for i, n in enumerate(path) if isinstance(n, cst.AssignTarget)), 0)
    line, assign = path[at - 2], path[at - 1]
    if (
        not isinstance(assign, cst.Assign)
        or not isinstance(line, cst.SimpleStatementLine)
        or not isinstance(path[at - 3], cst.IndentedBlock)
        or len(line.body) != 1
        or len(assign.targets) != 1
    ):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported assignment")
    return assign, line


def unpacked(path: Path, inference: Inference, env: Environment) -> Signature:
    """What one of several targets of an assignment is given; UNKNOWN where that is not known."""
    at = next((i for i, n in enumerate(path) if isinstance(n, cst.AssignTarget)), 0)
    assign = path[at - 1]
    if not isinstance(assign, cst.Assign):
        return UNKNOWN
    value = inference.infer(assign.value, env)
    for several, element in zip(path[at + 1 : -1 : 2], path[at + 2 : -1 : 2], strict=True):
        held = several.elements if isinstance(several, (cst.Tuple, cst.List)) else ()
        items = value.items if isinstance(value, Items) else ()
        if len(items) != len(held) or any(isinstance(e, cst.StarredElement) for e in held):
            return UNKNOWN
        value = next(item for item, one in zip(items, held, strict=True) if one is element)
    return value


def _refuse_other_shape(place: FixSite, value: TensorSignature, env: Environment, first: Signature, code: str) -> None:
    """Raises FixNotApplicable unless a value is sure to have the shape and dtype that the buffer is made with."""
    if not isinstance(first, TensorSignature) or first.dtype is None or value.dtype != first.dtype:
        raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "the new value may have another dtype than the buffer")
    if not agree(value, first) and not _running(value.shape, first.shape):
        raise FixNotApplicable(NoFix.STATE_MAY_CHANGE_SHAPE, "the new value may have another shape than the buffer")
    shared = {
        root
        for known in env.values()
        for leaf in leaves(known)
        if isinstance(leaf, TensorSignature)
        for root in leaf.storages
    }
    if any(root in shared or not root.startswith("#") for root in value.storages - {code}):
        # It was the very tensor that is copied now: nobody may write that afterwards.
        methods = place.inference.submodules.methods.values()
        written = {name for method in methods for name in side_effects(statements(method.body)).names}
        if written - {"self"}:
            raise FixNotApplicable(NoFix.ALIASED_WRITE, "the tensor that is stored may be written later")


def _floating(known: Signature) -> bool:
    return isinstance(known, TensorSignature) and known.dtype is not None and floating(known.dtype)


def _running(shape: Hashable, first: Hashable) -> bool:
    """Whether a shape is that of the buffer and of statistics that are added to it, as of running means."""
    numbers, known = numeric(shape), numeric(first)
    if numbers is not None and known is not None:
        return numbers == known
    parts = parts_of(shape)
    return first is not None and first in parts and all(p == first or reduced_from(p) is not None for p in parts)


def inference_of(place: FixSite, function: cst.FunctionDef) -> Inference:
    """What is known within a function of the class. Of attributes in code that the interpreter did not come to, the
    constructor says whether they are numbers."""
    same = function is place.function
    inference = place.inference if same else Inference(place.tree, place.inference.context, function, place.owner)
    init = inference.submodules.methods.get("__init__")
    for assign in below(init.body, cst.Assign) if init is not None else ():
        target = assign.targets[0].target
        known = inference.value(assign.value) if dotted(target).startswith("self.") else None
        found = UNKNOWN if known is None else of_value(known, dotted(target), frozenset())
        if isinstance(found, Number):
            for node in below(function.body, cst.Attribute):
                if dotted(node) == dotted(target) and inference.value(node) is None:
                    inference.known.setdefault(node, Number(floating=found.floating))
    return inference


_FLOATS: Final = frozenset(("float64", "float16", "bfloat16"))


def _fits(value: Signature, number: bool) -> None:
    if isinstance(value, Number):
        return
    if isinstance(value, TensorSignature) and (not number or value.shape == SCALAR):
        return
    raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what is written")


def tensor_code(place: FixSite, value: cst.BaseExpression, kept: list[Signature]) -> str:
    """The tensor that holds what the state is at first. `kept` are the signatures of what is written to it."""
    code = place.tree.code(value)
    if plain_tensor(place, value):
        return code
    dtypes = {s.dtype for s in kept if isinstance(s, TensorSignature)}
    if dtypes:
        (dtype,) = dtypes if len(dtypes) == 1 else (None,)
        if dtype == DEFAULT_FLOAT:
            return f"{place.torch}.tensor({code})"
        if dtype not in _FLOATS:
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "it is not known what is written")
        return f"{place.torch}.tensor({code}, dtype={place.torch}.{dtype})"
    if (
        python_type(place, value) is float
        or _infinite(value)
        or any(isinstance(s, Number) and s.floating for s in kept)
    ):
        # Python counts in double precision.
        return f"{place.torch}.tensor({code}, dtype={place.torch}.float64)"
    return f"{place.torch}.tensor({code})"


def converted(
    place: FixSite, state: State, first: cst.BaseExpression, writes: Sequence[Path], reads: Sequence[Path]
) -> tuple[list[Edit], str]:
    """The edits that let all writes and reads use the buffer, and the code of the tensor that it begins with.

    Raises:
        FixNotApplicable: a buffer would not do what the state did.
    """
    number = not plain_tensor(place, first)
    kept: list[Signature] = []
    edits: list[Edit] = []
    for path in writes:
        signature, done = write(place, path, number, first, state)
        kept.append(signature)
        edits += done
    tensors = any(isinstance(s, TensorSignature) for s in kept)
    fractions = any(isinstance(s, Number) and s.floating for s in kept)
    whole = number and python_type(place, first) is not float and not _infinite(first) and not fractions
    kind = Buffer(number, whole, tensors)
    around = {edit: None for path in reads for edit in read(place, path, kind, state)}
    edits += around
    if tensors and whole:
        raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "a number that becomes a tensor of another kind")
    return edits, tensor_code(place, first, kept)


# Constructors of plain tensors whose result can be registered as it stands.
_TENSORS: Final = frozenset(("zeros", "ones", "full", "tensor", "arange", "eye", "linspace", "rand", "randn"))


def plain_tensor(place: FixSite, value: cst.BaseExpression) -> bool:
    """Whether an expression makes a tensor that can be registered as it stands."""
    return (
        isinstance(value, cst.Call)
        and isinstance(value.func, cst.Attribute)
        and dotted(value.func.value) == place.torch
        and value.func.attr.value in _TENSORS
    )


def plain_first(place: FixSite, value: cst.BaseExpression) -> bool:
    """Whether an expression is a number that is written out or known to the constructor, or a plain tensor."""
    if isinstance(value, (cst.Name, cst.Attribute)):
        return dotted(value) in ("True", "False") or _infinite(value) or python_type(place, value) is not None
    numbers = (cst.Integer, cst.Float, cst.UnaryOperation, cst.BinaryOperation)
    number = isinstance(value, numbers) and python_type(place, value) is not None
    return number or _infinite(value) or plain_tensor(place, value)


def _infinite(value: cst.CSTNode) -> bool:
    """Whether an expression is a written out infinity: `float("inf")`, `-math.inf`."""
    if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Minus):
        value = value.expression
    if isinstance(value, cst.Call):
        given = value.args[0].value if len(value.args) == 1 else None
        text = given.evaluated_value if isinstance(given, cst.SimpleString) else None
        return (
            dotted(value.func) == "float" and isinstance(text, str) and text.strip("+-").lower() in ("inf", "infinity")
        )
    return dotted(value) in ("math.inf", "torch.inf", "np.inf", "numpy.inf")
