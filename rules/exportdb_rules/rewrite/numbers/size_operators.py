"""Operators that read a dynamic size as a plain number, in forms that keep it symbolic.

Measured on torch 2.13, in both modes, under a named Dim and under DYNAMIC: `torch.arange(n)`, `torch.tensor(n)`,
`torch.zeros(*t.shape, n).scatter(…)` and `torch.einsum` of two operands export and hold at other sizes, where
`torch.linspace(a, b, n)`, `torch.as_tensor(n)`, `math.log(n)`, `one_hot(t, n)` and `torch.einsum` of three operands
freeze the size that was traced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import joins
from exportdb_rules import values as domain
from exportdb_rules.finding import Applicability, Edit
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.offer import offered
from exportdb_rules.rewrite.place import always_computed, lines_before, new_name
from exportdb_rules.rewrite.refusal import Refused
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.rewrite.place import Place

TITLES: Final = {
    "as_tensor": "Keep the size symbolic with torch.tensor",
    "einsum": "Contract two operands at a time",
    "linspace": "Compute the steps with torch.arange",
    "math": "Compute the logarithm with torch",
    "one_hot": "Put the ones in their places with scatter",
    "triangle": "Take the places of ones in a triangle",
}
_LOGARITHMS: Final = {"math.log": "log", "math.log2": "log2", "math.log10": "log10"}


def operator_of_size(context: FixContext) -> tuple[Fix, ...]:
    """An operator that reads a dynamic size, as one that does not.

    `safe` for `torch.tensor`, `scatter` and the triangle; the others may round differently in the last digit.
    """
    rewrites: dict[str, Callable[[Place], Iterable[Edit]]] = {
        "as_tensor": _as_tensor,
        "einsum": _einsum,
        "linspace": _linspace,
        "math": _logarithm,
        "one_hot": _one_hot,
        "triangle": _triangle,
    }
    kind = next((kind for kind in rewrites if context.finding.case.startswith(kind)), None)
    if kind is None:
        return ()
    exact = kind in ("as_tensor", "one_hot", "triangle")
    return offered(context, TITLES[kind], Applicability.SAFE if exact else Applicability.UNSAFE, rewrites[kind])


def _call(place: Place, name: str) -> cst.Call:
    """The call of a function of torch, without stars, that the finding is or is an argument of."""
    for node in reversed(place.path[-3:]):
        if isinstance(node, cst.Call):
            if dotted(node.func) == f"{place.torch}.{name}" and not any(a.star for a in node.args):
                return node
            break
    raise Refused("another call")


def _replaced(place: Place, node: cst.CSTNode, code: str) -> tuple[Edit, ...]:
    span = place.tree.span(node)
    assert span is not None
    return (Edit(span, code),)


def _as_tensor(place: Place) -> Iterable[Edit]:
    call = _call(place, "as_tensor")
    if not isinstance(_value(place, call.args[0].value), domain.Sym):
        raise Refused("no size")
    return _replaced(place, call.func, f"{place.torch}.tensor")


def _value(place: Place, node: cst.BaseExpression) -> domain.Value | None:
    value = place.inference.value(node)
    choices = joins.choices(value) if value is not None else ()
    return choices[0] if len(choices) == 1 else None


def _linspace(place: Place) -> Iterable[Edit]:
    """`linspace(a, b, n)` as `a + arange(n) * ((b - a) / (n - 1))`; a single step stays where it is."""
    call = _call(place, "linspace")
    positional = [a.value for a in call.args if a.keyword is None]
    named = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    start, end, steps = [*positional, *[named.pop(key, None) for key in ("start", "end", "steps")[len(positional) :]]]
    if start is None or end is None or steps is None or set(named) - {"device", "dtype"}:
        raise Refused("unusual arguments")
    if "dtype" in named and dotted(named["dtype"]) not in (f"{place.torch}.float32", f"{place.torch}.float64"):
        raise Refused("a dtype in which counting is not exact")
    if not all(_is_number(place, node) and _repeatable(node) for node in (start, end, steps)):
        raise Refused("no plain numbers, or such that cannot be written twice")
    a, b, n = (parenthesised(place.tree.code(node)) for node in (start, end, steps))
    counting = ", ".join([place.tree.code(steps), *[f"{key}={place.tree.code(value)}" for key, value in named.items()]])
    first, last = _literal(start), _literal(end)
    width = b if first == 0 else f"({b} - {a})" if first is None or last is None else repr(last - first)
    step = f"({width} / {place.torch}.sym_max({n} - 1, 1))"
    code = f"{place.torch}.arange({counting}) * {step}"
    return _replaced(place, call, f"({code})" if first == 0 else f"({place.tree.code(start)} + {code})")


def _literal(node: cst.BaseExpression) -> float | None:
    """A number that is written out."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = _literal(node.expression)
        return None if inner is None else -inner
    return node.evaluated_value if isinstance(node, (cst.Integer, cst.Float)) else None


def _is_number(place: Place, node: cst.BaseExpression) -> bool:
    value = _value(place, node)
    if isinstance(value, domain.Const):
        return type(value.value) in (int, float)
    return isinstance(value, (domain.Sym, domain.Static)) and value.type in ("int", "float")


def _repeatable(node: cst.BaseExpression) -> bool:
    """Whether an expression may be written twice: names, attributes, sizes and arithmetic with them."""
    if isinstance(node, (cst.Integer, cst.Float)) or bool(dotted(node)):
        return True
    if isinstance(node, cst.UnaryOperation):
        return _repeatable(node.expression)
    if isinstance(node, cst.BinaryOperation):
        return _repeatable(node.left) and _repeatable(node.right)
    if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        return _repeatable(node.value) and _repeatable(node.slice[0].slice.value)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "size":
        return _repeatable(node.func.value) and all(not a.star and _repeatable(a.value) for a in node.args)
    return False


def _logarithm(place: Place) -> Iterable[Edit]:
    """`math.log(n)` of a size as a tensor without dimensions, where arithmetic with a tensor takes it up."""
    call, above = place.path[-1], place.path[-2]
    if isinstance(above, cst.Arg):  # the finding is the argument
        call, above = place.path[-3], place.path[-4]
    if not isinstance(call, cst.Call) or dotted(call.func) not in _LOGARITHMS or len(call.args) != 1:
        raise Refused("no logarithm")
    if not isinstance(above, cst.BinaryOperation):
        raise Refused("no arithmetic takes it up")
    other = above.left if above.right is call else above.right
    if not isinstance(_value(place, other), domain.Tensor):
        raise Refused("no tensor takes it up")
    number = call.args[0].value
    if not isinstance(_value(place, number), domain.Sym):
        raise Refused("no size")
    code = f"{place.torch}.{_LOGARITHMS[dotted(call.func)]}({place.torch}.tensor({place.tree.code(number)}))"
    return _replaced(place, call, code)


def _one_hot(place: Place) -> Iterable[Edit]:
    call = next((n for n in reversed(place.path[-3:]) if isinstance(n, cst.Call)), None)
    if call is None or not dotted(call.func).endswith("one_hot") or len(call.args) != 2:
        raise Refused("another call")
    classes, count = call.args
    if classes.star or count.star or classes.keyword is not None:
        raise Refused("unusual arguments")
    if count.keyword is not None and count.keyword.value != "num_classes":
        raise Refused("unusual arguments")
    name, size = place.tree.code(classes.value), place.tree.code(count.value)
    before: tuple[Edit, ...] = ()
    if not dotted(classes.value):
        if not always_computed(place):
            raise Refused("the classes have no name, and may not be computed")
        code, name = name, new_name(place, "classes")
        before = (lines_before(place, [f"{name} = {code}"]),)
    zeros = f"{place.torch}.zeros(*{name}.shape, {size}, dtype={place.torch}.long, device={name}.device)"
    return (*before, *_replaced(place, call, f"{zeros}.scatter(-1, {name}.unsqueeze(-1), 1)"))


def _triangle(place: Place) -> Iterable[Edit]:
    """`triu_indices(n, m, k)` as the places of ones in a triangle: the same, in the same order."""
    call = next((n for n in reversed(place.path[-3:]) if isinstance(n, cst.Call)), None)
    kinds = {f"{place.torch}.{kind}_indices": kind for kind in ("triu", "tril")}
    kind = kinds.get(dotted(call.func)) if call is not None else None
    if call is None or kind is None or any(a.star for a in call.args):
        raise Refused("another call")
    named = {a.keyword.value: place.tree.code(a.value) for a in call.args if a.keyword is not None}
    given = [place.tree.code(a.value) for a in call.args if a.keyword is None]
    rows, columns, offset = [
        *given, *[named.pop(key, None) for key in ("row", "col", "offset")[len(given) :]]
    ]  # fmt: skip
    if rows is None or columns is None or set(named) - {"device"}:
        raise Refused("unusual arguments")
    device = f", device={named['device']}" if "device" in named else ""
    ones = f"{place.torch}.ones({rows}, {columns}, dtype={place.torch}.bool{device})"
    return _replaced(place, call, f"{ones}.{kind}({offset or ''}).nonzero().T.contiguous()")


def _einsum(place: Place) -> Iterable[Edit]:
    """Left to right, two operands at a time; a letter is added up as soon as nothing behind needs it."""
    call = _call(place, "einsum")
    if any(a.keyword is not None for a in call.args) or len(call.args) < 4:
        raise Refused("unusual arguments")
    first, *operands = [a.value for a in call.args]
    equation = first.evaluated_value if isinstance(first, cst.SimpleString) else None
    if not isinstance(equation, str) or equation.count("->") != 1 or "." in equation:
        raise Refused("the equation is not written out")
    inputs, _, output = equation.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(operands) or any(len(set(term)) != len(term) for term in (*terms, output)):
        raise Refused("a letter that stands twice in a term, or another number of operands")
    einsum = place.tree.code(call.func)
    left, code = terms[0], place.tree.code(operands[0])
    for index in range(1, len(terms)):
        behind = set(output).union(*terms[index + 1 :])
        last = index == len(terms) - 1
        both = dict.fromkeys(left + terms[index])
        result = output if last else "".join([letter for letter in both if letter in behind])
        code = f'{einsum}("{left},{terms[index]}->{result}", {code}, {place.tree.code(operands[index])})'
        left = result
    return _replaced(place, call, code)
