"""Binary and unary operators, and comparisons."""

from __future__ import annotations

import ast
import operator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from exportdb_rules.dynamic_shapes import UNREAD
from exportdb_rules.facts import Converted, DataRead, TraceTimeUsed, TruthTested
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.autocast import note_lowered
from exportdb_rules.interpreter.demands import ask_of_operator, broadcast, decide_computed, multiplied
from exportdb_rules.interpreter.dimensions import term_of
from exportdb_rules.interpreter.dispatch import call, call_method
from exportdb_rules.interpreter.formatting import ask_for_text, format_percent, text_of
from exportdb_rules.interpreter.gradients import note_kept
from exportdb_rules.interpreter.iteration import as_an_input
from exportdb_rules.interpreter.membership import contains
from exportdb_rules.interpreter.numpy_provenance import ask_kept, computed, is_kept, is_kept_or_read
from exportdb_rules.interpreter.readable import holds_one
from exportdb_rules.interpreter.shape_rules import OperatorCall
from exportdb_rules.interpreter.shape_tokens import shape_made, together
from exportdb_rules.lattice import Mapping, Sequence, choices, join_all, known_elements
from exportdb_rules.operator_table import WHOLE, example_dtype, is_float
from exportdb_rules.project import dotted
from exportdb_rules.terms import LEAST, Term, answered, never_below, product
from exportdb_rules.torch_api import CASTS
from exportdb_rules.values import (
    ARRAY,
    DEVICE,
    FALSE,
    FRESH,
    KEPT,
    KEPT_ARRAY,
    NUMPY,
    NUMPY_ELEMENT,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    STATIC_STR,
    TOP,
    TRUE,
    Class,
    Const,
    Evidence,
    External,
    Function,
    Instance,
    Shape,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Union,
    Value,
    is_returned,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from exportdb_rules.interpreter.machine import Frame

_PYTHON: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,  # pyright: ignore[reportUnknownMemberType]
    ast.FloorDiv: operator.floordiv,  # pyright: ignore[reportUnknownMemberType]
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,  # pyright: ignore[reportUnknownMemberType]
    ast.BitOr: operator.or_,  # pyright: ignore[reportUnknownMemberType]
    ast.BitXor: operator.xor,  # pyright: ignore[reportUnknownMemberType]
}
_COMPARE: Final[dict[type, Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_DUNDER: Final[dict[type, str]] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__", ast.Pow: "__pow__", ast.MatMult: "__matmul__", ast.BitAnd: "__and__", ast.BitOr: "__or__",
    ast.BitXor: "__xor__", ast.Eq: "__eq__", ast.NotEq: "__ne__", ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}  # fmt: skip
# Of two booleans, the one that settles what comes out, whatever the other is.
_SETTLING: Final[dict[type, bool]] = {ast.BitOr: True, ast.BitAnd: False}
# What torch computes where a number stands before the tensor, and of a power by a tensor in any case.
_FROM_NUMBER: Final[dict[type, str]] = {ast.Div: "reciprocal", ast.Pow: "exp2"}
# What the functions of the module `operator` do, by their names.
OPERATIONS: Final[dict[str, ast.operator | ast.cmpop]] = {name.strip("_"): kind() for kind, name in _DUNDER.items()}
_WORDS: Final[dict[type, str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
# `3 < n` says what `n > 3` says.
MIRRORED: Final[dict[type, type]] = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
# Elements of lists that are put together and still told apart: a list that is doubled again and again has no bound.
MAX_JOINED: Final = 256
# Of a size that is multiplied by a fraction with larger parts nothing is followed.
_MOST_FACTOR: Final = 1000
# A known number with more bits than this is not kept: powers of powers have no bound.
MAX_BITS: Final = 4096


def binary(frame: Frame, node: ast.AST, op: ast.operator, a: Value, b: Value, *, inplace: bool = False) -> Value:
    """`a op b`. A symbol, tensor or container among the alternatives of an operand is followed on its own."""
    if type(a) is Union or type(b) is Union:
        return join_all([binary(frame, node, op, x, y, inplace=inplace) for x in choices(a) for y in choices(b)])
    kind_a, kind_b = type(a), type(b)
    if op.__class__ is ast.Mod and kind_b is not TraceTime and kind_a is not TraceTime and _type_of(a) == "str":
        return format_percent(frame, node, a, b)
    if Instance in (kind_a, kind_b) and Tensor in (kind_a, kind_b):
        found = _of_object(frame, op, a, b, inplace)
        if found is not None:
            frame.emit_call(node, "operator of an object", [a, b])
            return call(frame, node, found, [b if found.bound is a else a], {})
    if kind_a is Tensor or kind_b is Tensor:
        ask_kept(frame, node, "use", a, b)
        if type(a) is Tensor and b is KEPT_ARRAY and frame.traced:
            frame.emit(
                DataRead(frame.site(node), "numpy-call", a)
            )  # the tensor gives up, and the array asks for its data
        if op.__class__ in (ast.BitAnd, ast.BitOr, ast.BitXor):
            take_for_number(frame, node, a, b)
        return _with_tensor(frame, node, op, a, b, inplace)
    if kind_a is Sequence or kind_b is Sequence:
        return _with_sequence(frame, node, op, a, b)
    if kind_a is Const and kind_b is Const:
        return _constants(op, a.value, b.value)  # type: ignore[attr-defined]
    if kind_a is Mapping and kind_b is Mapping and op.__class__ is ast.BitOr:
        merged = Mapping(a.items, a.element)  # type: ignore[attr-defined]
        merged.take(b)  # type: ignore[arg-type]
        return merged
    if kind_a is TraceTime or kind_b is TraceTime:
        first = a if kind_a is TraceTime else b
        return TraceTime(first.source, first.type, first.site, first.evidence)  # type: ignore[attr-defined]
    if kind_a is Sym or kind_b is Sym:
        return _with_symbol(frame, node, op, a, b)
    if kind_a is Instance and a.cls is not None:  # type: ignore[attr-defined]
        return call_method(frame, node, a, _DUNDER.get(op.__class__, "?"), [b])
    if a is TOP or b is TOP or kind_a not in (Static, Const) or kind_b not in (Static, Const):
        return TOP
    if is_kept(a) or is_kept(b):
        return computed(a, b)
    return _named(_static(op, a, b), op, a, b)


# Bases of a class that make its objects neither numbers nor tensors.
_PLAIN_BASES: Final = frozenset({"object", "torch.nn.Module", "abc.ABC", "typing.Generic", "typing.Protocol"})


def _of_object(frame: Frame, op: ast.operator, a: Value, b: Value, inplace: bool) -> Function | None:
    """The method of an object of the project that computes `a op b` with a tensor. None where its class tells torch itself what
    the tensor does with it, or where it is a number."""
    name, project = _DUNDER.get(op.__class__, "?"), frame.run.project
    value, name = (a, name) if type(a) is Instance else (b, f"__r{name[2:]}")
    if type(value) is not Instance or value.cls is None or value.cls.find("__torch_function__", project) is not None:
        return None
    if any(isinstance(base, str) and base not in _PLAIN_BASES for base in value.cls.mro(project)):
        return None
    method = value.cls.find(f"__i{name[2:]}", project) if inplace and value is a else None
    method = method or value.cls.find(name, project)
    return None if method is None else Function(method, bound=value, owner=method.cls)


def _type_of(value: Value) -> str:
    if type(value) is Const:
        return type(value.value).__name__
    return value.type if type(value) in (Static, Sym, TraceTime) else ""  # type: ignore[attr-defined]


def _named(result: Value, op: ast.operator, a: Value, b: Value) -> Value:
    """What is computed from a parameter of a constructor and a number, by what it is computed from."""
    if type(result) is not Static or result.type not in ("", "int") or Const not in (type(a), type(b)):
        return result
    parts = [value.value if type(value) is Const else getattr(value, "name", None) for value in (a, b)]
    return result if None in parts else Static(result.type, result.number, name=(type(op).__name__, *parts))


def _static(op: ast.operator, a: Value, b: Value) -> Value:
    types = {_type_of(a), _type_of(b)}
    if a is NUMPY or b is NUMPY:
        return NUMPY
    if a is NUMPY_ELEMENT or b is NUMPY_ELEMENT:
        return NUMPY_ELEMENT
    if op.__class__ is ast.Mod and _type_of(a) == "str":
        return STATIC_STR
    if op.__class__ is ast.Div and types <= {"int", "float", "bool"}:
        return Static("float")
    if types == {"bool"} and op.__class__ in _SETTLING:
        settling = _SETTLING[op.__class__]
        settled = any(type(value) is Const and value.value is settling for value in (a, b))
        return Const(settling) if settled else Static("bool")
    if types == {"int"}:
        term = _term(op, a, b)
        return Static("int", None if term is None or term.value is None or term.value < 0 else term.value)
    if types == {"bool", "int"}:
        return Static("int")
    if types <= {"int", "float", "bool"} and "float" in types:
        return Static("float")
    if types == {"str"}:
        return text_of([a, b]) if op.__class__ is ast.Add else STATIC_STR
    return STATIC


def _constants(op: ast.operator, a: Any, b: Any) -> Value:
    function = _PYTHON.get(op.__class__)
    if op.__class__ is ast.Pow and isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(b) < 64:
        function = operator.pow  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    text = isinstance(a, (str, bytes)) or isinstance(b, (str, bytes))
    if function is None or (text and op.__class__ is not ast.Add):
        # `"-" * 10**9`, `"%1000000d" % n`: what a text becomes is of no use here, and may be of any size.
        return STATIC_STR if isinstance(a, str) or isinstance(b, str) else STATIC
    try:
        result = function(a, b)  # pyright: ignore[reportUnknownVariableType]
    except (TypeError, ValueError, ArithmeticError):
        return STATIC
    if isinstance(result, complex) or (isinstance(result, (str, bytes)) and len(result) > 1000):
        return STATIC
    if isinstance(result, int) and result.bit_length() > MAX_BITS:
        return STATIC_INT
    return Const(result)


def take_for_number(frame: Frame, node: ast.AST, *values: Value) -> None:
    """A bool from a tensor is taken for the number that it is in Python."""
    truth = next((v for v in values if type(v) is Sym and v.type == "bool" and not v.backed), None)
    if truth is not None:
        frame.emit(Converted(frame.site(node), "number", truth))


def _with_symbol(frame: Frame, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
    if op.__class__ not in (ast.BitAnd, ast.BitOr):
        take_for_number(frame, node, a, b)
    symbols = [v for v in (a, b) if type(v) is Sym]
    others = [v for v in (a, b) if type(v) is not Sym]
    if b is TOP and op.__class__ in (ast.Mod, ast.FloorDiv) and symbols[0].backed:
        return Sym("int", backed=True, low=0, evidence=min(Evidence.DERIVED, symbols[0].evidence))
    if any(v is TOP or type(v) not in (Const, Static, Sym) for v in others):
        return TOP
    loose = next((s for s in symbols if not s.backed), None)
    chosen = loose if loose is not None else symbols[0]
    types = {_type_of(a), _type_of(b)}
    type_ = "float" if "float" in types or op.__class__ is ast.Div else "int"
    low = None
    if op.__class__ in (ast.Add, ast.Mult, ast.FloorDiv):
        lows = [_low(a), _low(b)]
        if None not in lows and min(lows) >= 0:  # type: ignore[type-var]
            low = lows[0] + lows[1] if op.__class__ is ast.Add else 0  # type: ignore[operator]
    size = low is not None and chosen.size
    high = None
    if (
        loose is not None
        and type(b) is Const
        and isinstance(b.value, (int, float))
        and op.__class__ in (ast.Add, ast.Sub)
    ):
        low, high = _moved_range(loose, b.value if op.__class__ is ast.Add else -b.value)
    elif loose is None and type_ == "int":
        high = _largest(op, a, b)
    return Sym(
        type_, backed=loose is None, site=chosen.site, low=low, high=high, size=size,  # pyright: ignore[reportUnknownArgumentType]
        evidence=min(s.evidence for s in symbols), term=None if loose is not None else _term(op, a, b) if type_ == "int" else _floor(op, a, b),
    )  # fmt: skip


def _floor(op: ast.operator, a: Value, b: Value) -> Term | None:
    """What `n / 2` or `n * 0.5` is rounded down, in terms of the sizes of the inputs. Whole numbers are divided exactly where
    that leaves no rest."""
    parts = fraction_of_size(op, a, b)
    if parts is None:
        return None
    whole = parts[0].quotient(parts[1])
    by_int = op.__class__ is ast.Div and type(b) is Const and type(b.value) is int
    return whole if by_int else whole.rounded()


def fraction_of_size(op: ast.operator, a: Value, b: Value) -> tuple[Term, int] | None:
    """The term and the number that `n / 2` or `n * 0.5` is the exact quotient of."""
    if op.__class__ is ast.Mult and term_of(a) is None:
        a, b = b, a
    whole, by = term_of(a), _plain_number(b)
    if whole is None or by is None or not 0 < by < _MOST_FACTOR or not never_below(whole, 0):
        return None
    factor = Fraction(by).limit_denominator(_MOST_FACTOR)
    if float(factor) != by or op.__class__ not in (ast.Mult, ast.Div):
        return None
    factor = factor if op.__class__ is ast.Mult else 1 / factor
    return whole * Term.number(factor.numerator), factor.denominator


def _largest(op: ast.operator, a: Value, b: Value) -> float | None:
    """The most that a computed size can be, where its operands are bounded: by `max` of their Dims."""
    most, other = _high(a), _low(b) if op.__class__ is ast.Sub else _high(b)
    if most is None or other is None:
        return None
    if op.__class__ is ast.Add:
        return most + other
    if op.__class__ is ast.Sub:
        return most - other
    if op.__class__ is ast.Mult and min(_low(a) or 0, _low(b) or 0, most, other) >= 0:
        return most * other
    return most // other if op.__class__ is ast.FloorDiv and other > 0 and other == _low(b) else None


def _moved_range(symbol: Sym, by: float) -> tuple[float | None, float | None]:
    """The range of a number that a constant is added to."""
    low = None if symbol.low is None else symbol.low + by
    return low, None if symbol.high is None else symbol.high + by


def _term(op: ast.operator, a: Value, b: Value) -> Term | None:
    """A computed size in terms of those of the inputs."""
    left, right = term_of(a), term_of(b)
    if left is None or right is None:
        return None
    if op.__class__ is ast.Add:
        return left + right
    if op.__class__ is ast.Sub:
        return left - right
    if op.__class__ is ast.Mult:
        return product([left, right])
    if op.__class__ is ast.FloorDiv and never_below(right, 1):
        return left.ratio(right)
    if op.__class__ is ast.Mod and (right.value or 0) > 0:
        return left.remainder(right.value or 1)
    return None


def _low(value: Value) -> float | None:
    return value.low if type(value) is Sym else _plain_number(value)


def _high(value: Value) -> float | None:
    return value.high if type(value) is Sym else _plain_number(value)


def _plain_number(value: Value) -> float | None:
    if type(value) is Const:
        return value.value if isinstance(value.value, (int, float)) else None
    return value.number if type(value) is Static else None


def _with_sequence(frame: Frame, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
    if type(a) is Sequence and type(b) is Sequence and op.__class__ is ast.Add:
        if a.items is not None and b.items is not None and len(a.items) + len(b.items) <= MAX_JOINED:
            return Sequence(a.type, [*a.items, *b.items], depth=frame.depth)
        known = [s.any() for s in (a, b) if s.items or s.element is not None]
        prefix = [*a.items, *b.head()] if a.items is not None else a.prefix
        prefix = None if prefix is None else prefix[:MAX_JOINED]
        return Sequence(a.type, None, join_all(known) if known else None, depth=frame.depth, prefix=prefix)
    if op.__class__ is ast.Mult:
        sequence, times = (a, b) if type(a) is Sequence else (b, a)
        assert type(sequence) is Sequence
        number = times.number if type(times) is Static else times.value if type(times) is Const else None
        if (
            isinstance(number, int)
            and sequence.items is not None
            and number <= 16
            and len(sequence.items) * number <= MAX_JOINED
        ):
            return Sequence(sequence.type, sequence.items * number, depth=frame.depth)
        if type(times) in (Sym, Tensor):
            frame.emit(Converted(frame.site(node), "repeat", times))  # type: ignore[arg-type]
        return Sequence(sequence.type, None, sequence.any(), depth=frame.depth)
    if type(a) is Sequence and op.__class__ in (ast.BitAnd, ast.BitOr, ast.Sub):
        return Sequence(a.type, None, a.any(), depth=frame.depth)
    if type(a) is Sequence and type(b) is Shape:
        return Sequence(a.type, None, TOP)
    return TOP


_EITHER_SIDE: Final = frozenset({ast.Add, ast.Mult})
_FROM_TENSOR: Final = frozenset({ast.Sub, ast.Div, ast.FloorDiv})


def _with_tensor(frame: Frame, node: ast.AST, op: ast.operator, a: Value, b: Value, inplace: bool) -> Value:
    both = [v for v in (a, b) if type(v) is Tensor]
    numbers = all(map(is_returned, both)) and op.__class__ is not ast.MatMult
    for operand in (a, b):
        if type(operand) is TraceTime and not numbers:
            frame.emit(TraceTimeUsed(frame.site(node), operand, "tensor"))
    if type(a) is Const and isinstance(a.value, str):
        return STATIC_STR
    result = elementwise(both, [v for v in (a, b) if type(v) is not Tensor])
    if numbers:
        result.evidence = Evidence.RETURNED  # of numbers it is one
    if frame.run.learns_ranks and op.__class__ is ast.MatMult:
        ranks.alike(frame, node, both)
    elif frame.run.learns_ranks:
        ranks.computed(frame, node, both, result)
    result.requires_grad = not frame.run.no_grad and any(operand.requires_grad for operand in both)
    if op.__class__ is ast.MatMult:
        if frame.run.undecided:
            ask_of_operator(OperatorCall(frame, node, "matmul", [a, b], {}, both), result, pointwise=False)
        result.shape, result.moves = shape_made("matmul", both, {}), 0
        result.dims = multiplied(frame, node, *both) if len(both) == 2 else None
        result.rank = ranks.of_product(both) if result.dims is None else len(result.dims)
        note_lowered(frame, "matmul", result)
        return result
    if frame.traced and (op.__class__ in _EITHER_SIDE or (type(a) is Tensor and op.__class__ in _FROM_TENSOR)):
        # What takes a number as a tensor: of another operator (`2 - k`, `k % 2`) nothing is remembered (measured with torch 2.13).
        result.constant = result.constant or all(
            holds_one(v) if type(v) is Tensor else type(v) in (Const, Static) for v in (a, b)
        )
    _meet(frame, node, result, both, quiet=inplace and len(both) == 1 and op.__class__ is not ast.Pow)
    if b is both[-1] and (len(both) == 1 or op.__class__ is ast.Pow) and op.__class__ in _FROM_NUMBER:
        note_kept(frame, _FROM_NUMBER[op.__class__], result)
    if op.__class__ is ast.Div and not is_float(result.dtype):
        result.dtype = ("true_divide", result.dtype) if result.dtype is not None else None
    if inplace and type(a) is Tensor:
        result.origin, result.alias, result.param = a.origin, a.alias, None
        result.dtype, result.shape = a.dtype, a.shape
        result.dims, result.rank = a.dims, a.rank
    return result


def _meet(frame: Frame, node: ast.AST, result: Tensor, operands: list[Tensor], *, quiet: bool = False) -> None:
    """The sizes of what a pointwise operator makes of several tensors. `quiet`: it does not ask for their layout."""
    if result.unbacked:
        return
    if not quiet:
        decide_computed(frame, operands, alone=isinstance(node, ast.UnaryOp))
    dims = broadcast(frame, node, "broadcast", operands) if len(operands) > 1 else operands[0].dims
    if dims is not None:
        result.dims, result.rank = dims, len(dims)


def elementwise(operands: list[Tensor], others: list[Value]) -> Tensor:
    """The result of a pointwise operator on tensors and Python numbers, by torch's broadcasting and promotion."""
    first = operands[0]
    shapes = {t.shape for t in operands} - {("dims", ())}
    dtypes = {t.dtype for t in operands}
    dtype = first.dtype if len(dtypes) == 1 else promoted(operands)
    for other in others:
        # An int keeps every dtype but bool; a float keeps floating ones and makes others float.
        if dtype is not None and _type_of(other) not in ("int", "bool"):
            dtype = dtype if is_float(dtype) else ("promoted", dtype)
        elif dtype == "bool" and _type_of(other) == "int":
            dtype = "int64"
    unbacked = loose_operand(operands)
    shape = first.shape if not shapes else shapes.pop() if len(shapes) == 1 else together(shapes)
    alike = next((t for t in operands if t.shape == shape), None) if shape is not None else None
    ranks = [t.rank for t in operands if t.rank is not None]
    broadcast = max(ranks) if len(ranks) == len(operands) else None
    result = computed_from(operands, unbacked)
    result.dtype, result.shape = dtype, shape
    result.rank = 0 if shape == ("dims", ()) else alike.rank if alike is not None else broadcast
    result.dims = alike.dims if alike is not None else None
    result.moves = max([t.moves for t in operands])
    result.array = all(t.array for t in operands)
    result.param = first.param if len({t.param for t in operands}) == 1 else None
    if any(type(other) is Sym for other in others):
        result.constant = False
    return result


def promoted(operands: list[Tensor]) -> Hashable:
    """The dtype that several different ones are promoted to; None where it is not known."""
    wide = {t.dtype for t in operands if t.rank != 0} or {t.dtype for t in operands}
    floats = {dtype for dtype in wide if is_float(dtype)} or {t.dtype for t in operands if is_float(t.dtype)}
    known = all(is_float(t.dtype) or example_dtype(t.dtype) in WHOLE for t in operands)
    if known and len(floats) == 1:
        return floats.pop()
    others = wide - {"bool"}
    return others.pop() if known and not floats and len(others) == 1 else None


def computed_from(inputs: list[Tensor], loose: Tensor | None) -> Tensor:
    """A fresh tensor that is computed from others; `loose` is the one that makes its size depend on data."""
    constant = fixed = sized = random = True
    kept = False
    for tensor in inputs:
        constant = constant and tensor.constant
        fixed = fixed and tensor.fixed
        sized = sized and (tensor.sized or tensor.fixed)
        random = random and tensor.random
        kept = kept or tensor.kept
    return Tensor(
        FRESH,
        unbacked=loose is not None,
        axis=0 if loose is None else loose.axis,
        some=loose is not None and loose.some,
        site=None if loose is None else loose.site,
        constant=constant,
        fixed=fixed,
        sized=sized,
        random=random,
        kept=kept,
        evidence=max(Evidence.DERIVED, least_evidence(inputs)),
    )


def least_evidence(operands: list[Tensor]) -> Evidence:
    """What shows that the result of an operator is a tensor: one tensor among the operands makes it one, whatever the others are."""
    seen = [tensor.evidence for tensor in operands if not is_returned(tensor)]
    return min(seen, default=Evidence.RETURNED if operands else Evidence.OBSERVED)


def loose_operand(operands: list[Tensor]) -> Tensor | None:
    """The operand of a pointwise operator that makes the size of the result depend on data.

    Where a tensor of data-dependent size meets one of a size that is not, export takes them for equal, checks that at
    run time, and goes on with the size that it knows (case `masked_meets_known_ok`).
    """
    loose = next((t for t in operands if t.unbacked), None)
    if loose is None:
        return None
    known = [t for t in operands if not (t.unbacked or t.fixed or t.constant or _may_broadcast(t, loose))]
    return None if known else loose


def _may_broadcast(tensor: Tensor, other: Tensor) -> bool:
    """Whether a tensor may have fewer dimensions than another, or some of size one."""
    shape = cast("object", tensor.shape)
    if isinstance(shape, tuple) and cast("tuple[object, ...]", shape)[:1] in (("reduced",), ("dims",)):
        return True
    return tensor.rank is not None and other.rank is not None and tensor.rank < other.rank


def compare(frame: Frame, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
    """`a op b` for one pair of a comparison."""
    if type(a) is Union or type(b) is Union:
        return join_all([compare(frame, node, op, x, y) for x in choices(a) for y in choices(b)])
    kind = op.__class__
    kind_a, kind_b = type(a), type(b)
    if (kind_a is TraceTime or kind_b is TraceTime) and (answer := _compare_classes(kind, a, b)) is not None:
        return answer
    if kind in (ast.Is, ast.IsNot):
        return _identity(a, b, kind is ast.Is)
    if kind in (ast.In, ast.NotIn):
        if not isinstance(node, ast.Compare):
            return STATIC_BOOL
        if kind_a in (Sequence, Shape) and kind_b is Sequence and b.type != "set" and b.items is not None:  # type: ignore[attr-defined]
            return _one_of(frame, node, a, b.items, negated=kind is ast.NotIn)  # type: ignore[attr-defined]
        if kind_b is Sequence and b.items and all(type(member) is External for member in b.items):  # type: ignore[attr-defined]
            answers = {compare(frame, node, ast.Eq(), a, member) for member in b.items}  # type: ignore[attr-defined]
            if answers == {FALSE} or TRUE in answers:
                return TRUE if (TRUE in answers) is (kind is ast.In) else FALSE
        return contains(frame, node, a, b, negated=kind is ast.NotIn)
    if kind_a is Tensor or kind_b is Tensor:
        if any(type(v) is Const and (v.value is None or isinstance(v.value, str)) for v in (a, b)):
            if is_returned(a) or is_returned(b):
                return STATIC_BOOL
            return TRUE if kind is ast.NotEq else FALSE  # Tensor.__eq__ gives up on what is no number
        for operand in (a, b):
            if type(operand) is TraceTime:
                frame.emit(TraceTimeUsed(frame.site(node), operand, "tensor"))
        ask_kept(frame, node, "use", a, b)
        if kind in (ast.Eq, ast.NotEq):
            take_for_number(frame, node, a, b)
        tensors = [v for v in (a, b) if type(v) is Tensor]
        result = elementwise(tensors, [])
        _meet(frame, node, result, tensors)
        result.dtype = "bool"
        result.evidence = least_evidence(tensors)
        result.param = tensors[0].param if len(tensors) == 1 else None
        return result
    if kind_a is Const and kind_b is Const:
        try:
            return TRUE if _COMPARE[kind](a.value, b.value) else FALSE  # type: ignore[attr-defined]
        except (TypeError, KeyError):
            return STATIC_BOOL
    if kind_a is TraceTime or kind_b is TraceTime:
        first = a if kind_a is TraceTime else b
        return TraceTime(first.source, ARRAY if first.type == ARRAY else "bool", first.site, first.evidence)  # type: ignore[attr-defined]
    if kind_a is Sym or kind_b is Sym:
        # `!=` asks no number but `True` and `False`.
        if kind is not ast.Eq and not (kind is ast.NotEq and "int" in (_type_of(a), _type_of(b))):
            take_for_number(frame, node, a, b)
        return _compare_symbols(kind, a, b)
    both = {kind_a, kind_b}
    # What a constructor was given and is compared with a tuple is one.
    configured = both == {Sequence, Static} and not (b if kind_a is Sequence else a).type  # type: ignore[attr-defined]
    if Const in both and both & {Shape, Sequence} and kind in (ast.Eq, ast.NotEq):
        if Shape in both and frame.run.dynamic.all_dimensions and _asks_itself(node):
            # `self.shape != x.shape`, where that is None at first: nobody says that the model is exported before its first call.
            return Sym("bool", backed=True, evidence=Evidence.DERIVED)
        return FALSE if kind is ast.Eq else TRUE
    if Shape in both or both == {Sequence} or configured:
        return _compare_sequences(frame, node, op, a, b)
    if kind_a is Instance and a.cls is not None and a.cls.find(_DUNDER.get(kind, "?"), frame.run.project) is not None:  # type: ignore[attr-defined]
        return call_method(frame, node, a, _DUNDER[kind], [b])
    if External in (kind_a, kind_b):
        return _compare_dtypes(kind, a, b)
    if DEVICE in (a, b) and kind in (ast.Eq, ast.NotEq) and (a is b or _are_devices(node)):
        return TRUE if kind is ast.Eq else FALSE
    if a is TOP or b is TOP:
        return TOP
    if {kind_a, kind_b} == {Static, Const} and kind in (ast.Eq, ast.NotEq):
        types = {_type_of(a), _type_of(b)}
        if "str" in types and types & {"int", "float", "bool"}:
            return FALSE if kind is ast.Eq else TRUE  # a number is no text
    if {kind_a, kind_b} <= {Static, Const}:
        if not ask_for_text(frame, node, a, "text"):
            ask_for_text(frame, node, b, "text")
        if is_kept_or_read(a) or is_kept_or_read(b):
            return KEPT  # numpy's bool is no number to torch
        return NUMPY if {NUMPY, NUMPY_ELEMENT} & {a, b} else STATIC_BOOL
    return TOP


def _are_devices(node: ast.AST) -> bool:
    """Whether a comparison is one of the devices of two variables."""
    operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    return bool(operands) and all(
        isinstance(one, ast.Attribute) and one.attr == "device" and dotted(one.value) != "self" for one in operands
    )


def _compare_sequences(frame: Frame, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
    """`(h, w) == (8, 8)`, `x.shape != y.shape`: Python compares pair by pair, up to the first two that differ."""
    kind = op.__class__
    if any(type(v) is Sequence and v.type not in ("tuple", "list", "generator") for v in (a, b)):
        return TOP
    tensors = [v.tensor for v in (a, b) if type(v) is Shape]
    loose = next((t for t in tensors if t.unbacked), None)
    if loose is not None:
        if (len(tensors) == 2 and all(t.unbacked for t in tensors)) or any(map(_may_hold_unbacked, (a, b))):
            return STATIC_BOOL  # sizes that come from one symbol are equal without a guard
        return Sym("bool", backed=False, site=loose.site, evidence=loose.evidence)
    lists = [v.type == "list" for v in (a, b) if type(v) is Sequence]
    lists += [False] * len(tensors)
    if len(lists) == 2 and lists[0] is not lists[1]:
        return FALSE if kind is ast.Eq else TRUE if kind is ast.NotEq else TOP
    one, other = map(known_elements, (a, b))
    if one is None or other is None:
        return _compare_unknown_lengths(frame, a, b)
    if kind in (ast.Eq, ast.NotEq) and len(one) != len(other):
        return FALSE if kind is ast.Eq else TRUE
    return _compare_pairs(frame, node, op, one, other, exact=not any(lists))


def _compare_pairs(
    frame: Frame, node: ast.AST, op: ast.cmpop, one: list[Value], other: list[Value], *, exact: bool
) -> Value:
    """What is asked of pair after pair, and the answer. `exact`: neither side can have changed since it was made."""
    kind, equality = op.__class__, isinstance(op, (ast.Eq, ast.NotEq))
    equal, different = (TRUE, FALSE) if kind is ast.Eq else (FALSE, TRUE)
    asked: list[Sym] = []
    decided: Value | None = equal if equality else None
    for x, y in zip(one, other, strict=False):
        if x is y and type(x) is not Static:
            continue  # Python asks whether it is the very object first
        answer = compare(frame, node, op if equality else ast.Eq(), x, y)
        if type(answer) is Tensor:
            frame.emit(TruthTested(frame.site(node), answer, "in", node))
            return STATIC_BOOL
        if type(answer) is Sym and (answer.low is None or answer.low != answer.high):
            seen = None if answer.asked is None else answered(answer.asked, frame.run.dynamic.sizes)
            differs = seen is not None and seen is (kind is ast.NotEq and equality)
            if differs and not equality:
                answer = compare(frame, node, op, x, y)  # the order of the first two that differ decides
            if type(answer) is Sym:
                asked.append(answer)
            decided = different if differs else decided if answer.backed and seen is not None else None  # type: ignore[union-attr]
            if differs or decided is None:
                break
            continue
        known = answer.value if type(answer) is Const else answer.low if type(answer) is Sym else None
        if known is None:
            decided = None
        elif bool(known) is not (kind is not ast.NotEq):
            decided = different if equality else None
            break
    if not asked:
        return decided if decided is not None and exact else STATIC_BOOL
    chain: Sym | None = None
    if decided is not None and asked[-1].backed:
        chain = Sym("bool", backed=True, low=decided.value, high=decided.value)  # type: ignore[attr-defined]
    for answer in reversed(asked):
        chain = answer.changed(then=chain)
    assert chain is not None
    return chain


def _one_of(frame: Frame, node: ast.AST, item: Value, members: list[Value], *, negated: bool) -> Value:
    """`(h, w) in [(4, 4), (8, 8)]`: compared with one after the other, up to the one that it is in the example."""
    known = True
    for member in members:
        answer = TRUE if member is item else compare(frame, node, ast.Eq(), item, member)
        if type(answer) is Const:
            if answer.value and known:
                return FALSE if negated else TRUE
            continue
        known = False
        if type(answer) is Sym and (answer.then is None or answer.last.low == 1):
            return answer.whole()
    return (TRUE if negated else FALSE) if known else STATIC_BOOL


def _asks_itself(node: ast.AST) -> bool:
    """Whether a comparison is one of an attribute of `self`."""
    operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    return any(dotted(operand).startswith("self.") for operand in operands)


def _compare_unknown_lengths(frame: Frame, a: Value, b: Value) -> Value:
    """A comparison of a shape, tuple or list with what is not known element by element."""
    held = [c for v in (a, b) if type(v) is Sequence for part in (v.items or [v.any()]) for c in choices(part)]
    symbols = [c for c in held if type(c) is Sym]
    loose = next((s for s in symbols if not s.backed), None)
    if loose is not None:
        return Sym("bool", backed=False, site=loose.site, evidence=loose.evidence)
    tensors = [v.tensor for v in (a, b) if type(v) is Shape]
    if not symbols and (not frame.run.dynamic.any or all(t.fixed for t in tensors)):
        return STATIC_BOOL if tensors else TOP
    # Of what is computed nobody knows which of its sizes are dynamic.
    known = Evidence.OBSERVED if all(t.dims is not None or as_an_input(t) for t in tensors) else Evidence.DERIVED
    return Sym("bool", backed=True, evidence=min([known, *[s.evidence for s in symbols]]))


_HALF = frozenset({"torch.float16", "torch.bfloat16"})


def _dtype(name: str) -> str:
    """The one name of a dtype that has several, `torch.float` and `torch.float32`; another name as it is."""
    short = name.removeprefix("torch.")
    return f"torch.{CASTS.get(short, short)}" if short != name else name


def _compare_dtypes(kind: type, a: Value, b: Value) -> Value:
    """`x.dtype == torch.float16`: models are taken to be exported in single precision."""
    names = [_dtype(v.name) for v in (a, b) if type(v) is External]
    if len(names) == 2 and all(n.startswith("torch.") for n in names) and kind in (ast.Eq, ast.NotEq):
        return TRUE if (names[0] == names[1]) is (kind is ast.Eq) else FALSE
    if names[0] in _HALF and kind in (ast.Eq, ast.NotEq) and len(names) == 1:
        return FALSE if kind is ast.Eq else TRUE
    return STATIC_BOOL


# The classes that a tensor of a model has in eager, and what they are called.
_TENSOR_CLASSES: Final = frozenset(
    {"torch.Tensor", "torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer", "Tensor", "Parameter"}
)


def _compare_classes(kind: type, a: Value, b: Value) -> Value | None:
    """`type(tensor) is Tensor`: another answer while tracing than in eager; None where it is no such comparison."""
    one, other = (a, b) if type(a) is TraceTime and a.source == "type" else (b, a)
    if type(one) is not TraceTime or one.source != "type":
        return None
    among = kind in (ast.In, ast.NotIn)
    if among and one is b:
        return None
    members = (other.items or []) if among and type(other) is Sequence else [other]
    if any(_class_name(member) in _TENSOR_CLASSES for member in members):
        return TraceTime("type", "bool", one.site, one.evidence)
    if members and all(_class_name(member) or type(member) is Class for member in members):
        return FALSE if kind in (ast.Is, ast.Eq, ast.In) else TRUE
    return STATIC_BOOL


def _class_name(value: Value) -> str:
    if type(value) is External:
        return value.name
    return value.value if type(value) is Const and isinstance(value.value, str) else ""


def _may_hold_unbacked(value: Value) -> bool:
    if type(value) is not Sequence:
        return False
    parts = value.items if value.items is not None else [value.any()]
    return any(c is TOP or (type(c) is Sym and not c.backed) for p in parts for c in choices(p))


def _identity(a: Value, b: Value, positive: bool) -> Value:
    if type(a) is External and type(b) is External and all(v.name.startswith("torch.") for v in (a, b)):
        one, other = _dtype(a.name), _dtype(b.name)
        alike = one.rpartition(".")[2] == other.rpartition(".")[2]
        if alike and one != other:
            return STATIC_BOOL
        return TRUE if alike is positive else FALSE
    for one, other in ((a, b), (b, a)):
        if type(other) is Const and other.value is None:
            if type(one) is Const:
                return TRUE if (one.value is None) is positive else FALSE
            if one is TOP or (type(one) is Static and not one.type) or is_returned(one):
                return STATIC_BOOL
            return FALSE if positive else TRUE
    if type(a) is Const and type(b) is Const and all(isinstance(v.value, (bool, int, str)) for v in (a, b)):
        # Members of an Enum are known by their values; so are flags, and numbers and texts that are written out.
        return TRUE if (type(a.value) is type(b.value) and a.value == b.value) is positive else FALSE
    return STATIC_BOOL


def _compare_symbols(kind: type, a: Value, b: Value) -> Value:
    if any(type(v) is Const and (v.value is None or isinstance(v.value, str)) for v in (a, b)):
        return TRUE if kind is ast.NotEq else FALSE
    symbols = [v for v in (a, b) if type(v) is Sym]
    if TOP in (a, b) and symbols[0].backed:
        # A size is compared with a number, as a rule, even where nothing is known of that.
        return Sym("bool", backed=True, evidence=min(Evidence.DERIVED, symbols[0].evidence))
    if any(v is TOP or type(v) in (Instance, Mapping, Sequence) for v in (a, b)):
        return TOP
    known = _by_bounds(kind, a, b)
    if known is not None:
        if all(s.backed for s in symbols):
            # Still a SymBool for who looks at it, but one whose answer no guard is needed for.
            answer = 1 if known is TRUE else 0
            return Sym("bool", backed=True, low=answer, high=answer, evidence=min(s.evidence for s in symbols))
        return known
    loose = next((s for s in symbols if not s.backed), None)
    site = loose.site if loose is not None else None
    if len(symbols) == 2 and kind in (ast.Eq, ast.NotEq) and symbols[0].site is symbols[1].site is not None:
        return STATIC_BOOL  # the same symbol, or two made by one operator
    if len(symbols) == 2 and symbols[0].dim is not None and symbols[0].dim == symbols[1].dim:
        answer = int(kind in (ast.Eq, ast.LtE, ast.GtE))  # what one Dim names is equal without a guard
        return Sym("bool", backed=True, low=answer, high=answer, evidence=min(s.evidence for s in symbols))
    asked = _asked(kind, a, b)
    difference = None if asked is None else (asked[1] - asked[2]).value
    if difference is not None:
        answer = int(_COMPARE[kind](difference, 0))  # the same for every size
        return Sym("bool", backed=True, low=answer, high=answer, evidence=min(s.evidence for s in symbols))
    evidence = min(s.evidence for s in symbols)
    if loose is None and any(type(v) is Static and v.number is None for v in (a, b)):
        low, high = symbols[0].low, symbols[0].high
        # The range that is declared may leave one answer for the number that the code has.
        evidence = min(evidence, Evidence.DERIVED) if (low or 0) > LEAST or high is not None else evidence
    return Sym("bool", backed=loose is None, site=site, evidence=evidence, asked=asked)


def _asked(kind: type, a: Value, b: Value) -> tuple[str, Term, Term] | None:
    """A comparison of sizes as terms; None where one of them is not known as one."""
    one, other = term_of(a), term_of(b)
    return None if one is None or other is None or kind not in _WORDS else (_WORDS[kind], one, other)


def _by_bounds(kind: type, a: Value, b: Value) -> Value | None:
    """A size is never negative, and export knows it: `n >= 0` and `0 <= n` need no guard."""
    if type(b) is Sym:
        kind, a, b = MIRRORED.get(kind, kind), b, a
    bound = b.value if type(b) is Const else b.number if type(b) is Static else None
    if type(a) is Sym and a.high == UNREAD and type(b) in (Const, Static) and kind in (ast.Gt, ast.LtE):
        return FALSE if kind is ast.Gt else TRUE  # what declares a maximum declares the one that the code has
    if type(a) is not Sym or not isinstance(bound, (int, float)):
        return None
    low, high = a.low, a.high
    above = low is not None and low > bound
    below = high is not None and high < bound
    at_least = low is not None and low >= bound
    at_most = high is not None and high <= bound
    if (kind is ast.GtE and at_least) or (kind is ast.Gt and above) or (kind is ast.LtE and at_most):
        return TRUE
    if (kind is ast.Lt and below) or (kind is ast.NotEq and (above or below)):
        return TRUE
    if (kind is ast.Lt and at_least) or (kind is ast.LtE and above) or (kind is ast.GtE and below):
        return FALSE
    if (kind is ast.Gt and at_most) or (kind is ast.Eq and (above or below)):
        return FALSE
    return None


def unary(frame: Frame, node: ast.UnaryOp, value: Value) -> Value:
    """`-a`, `+a`, `~a`."""
    if type(value) is Union:
        return join_all([unary(frame, node, v) for v in value.choices])
    if is_kept(value):
        return computed(value)
    if type(value) is Tensor:
        result = elementwise([value], [])
        if node.op.__class__ is ast.Invert and not isinstance(result.dtype, str):
            result.dtype = "bool"  # who inverts bits without a word about them has a mask
        _meet(frame, node, result, [value])
        return result.changed(evidence=value.evidence) if is_returned(value) else result
    if type(value) is Const:
        try:
            if node.op.__class__ is ast.USub:
                return Const(-value.value)
            return value if node.op.__class__ is ast.UAdd else Const(~value.value)
        except TypeError:
            return STATIC
    if type(value) is Sym:
        take_for_number(frame, node, value)
        minus = node.op.__class__ is ast.USub
        low = -value.high if minus and value.high is not None else None
        high = -value.low if minus and value.low is not None else None
        term = Term() - value.term if minus and value.term is not None else None
        return Sym(
            value.type, backed=value.backed, site=value.site, evidence=value.evidence, low=low, high=high, term=term
        )
    if type(value) is Static and value.number is not None and node.op.__class__ is not ast.UAdd:
        return Static(value.type, -value.number if node.op.__class__ is ast.USub else ~value.number)
    return value if type(value) in (Static, TraceTime) else TOP
