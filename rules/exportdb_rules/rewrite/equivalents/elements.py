"""`apply_` and `map_`, which call Python with every number, as one expression over all numbers.

Python computes with doubles, and so does the expression: each number comes out as Python makes it. A function that can
raise for some number (a division by it, a root of it) has no expression that does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules.finding import Applicability, Edit, Fix
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.equivalents.tensor_call import literal
from exportdb_rules.rewrite.fix_site import FixSite, local_names
from exportdb_rules.rewrite.known.names import names, parameters
from exportdb_rules.rewrite.known.signature import INTEGERS, TensorSignature
from exportdb_rules.rewrite.offer import make_fix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted, enclosing, statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from exportdb_rules.rewrite.context import FixContext

TITLE: Final = "Vectorize over all elements"

_SAFE: Final = (cst.Add, cst.Subtract, cst.Multiply)
_COMPARED: Final = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.Equal, cst.NotEqual)
# Functions of `math` that raise for no number, and what torch calls them.
_FUNCTIONS: Final = {"tanh": "tanh", "erf": "erf", "atan": "atan", "fabs": "abs", "asinh": "asinh"}


def elementwise(context: FixContext) -> tuple[Fix, ...]:
    """`t.apply_(lambda v: v * 2)` as `t.copy_(…)` of the expression over the tensor.

    `unsafe`: the function is not called any more, should it print or count.
    """
    return make_fix(context, TITLE, Applicability.UNSAFE, _rewritten)


def _rewritten(place: FixSite) -> Iterable[Edit]:
    call = place.call()
    if call is None or not isinstance(call.func, cst.Attribute) or call.func.attr.value not in ("apply_", "map_"):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no call of them")
    others = 1 if call.func.attr.value == "map_" else 0
    if len(call.args) != 1 + others or any(a.star or a.keyword is not None for a in call.args):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported arguments")
    receiver = call.func.value
    # A copy that nothing else has need not be written: the expression gives a new tensor.
    source = _copied(receiver)
    base = receiver if source is None else source
    if not dotted(base if source is None else _tensor_of(base)) or (
        others and not isinstance(call.args[0].value, cst.Name)
    ):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the tensors have no names")
    given = [base, *[a.value for a in call.args[:others]]]
    for node in given:
        known = place.inference.infer(node, place.environment())
        if not isinstance(known, TensorSignature) or known.dtype == "bool" or known.dtype in INTEGERS:
            raise FixNotApplicable(NoFix.DTYPE_MAY_CHANGE, "not sure to be floating")
        if known.dtype == "float64" and any(True for _ in below(call.args[-1], cst.Power)):
            raise FixNotApplicable(NoFix.ROUNDING, "a power of doubles may be too large for Python")
    wanted, body = _function(place, call.args[-1].value)
    if len(wanted) != len(given):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "another number of arguments")
    tensors = {name: f"{place.tree.code(node)}.double()" for name, node in zip(wanted, given, strict=True)}
    if not names(body).reads & tensors.keys():
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the same number for all")
    code = _Expression(place, tensors).number(body)
    name, span = place.tree.code(base), place.tree.span(call)
    assert span is not None
    if source is None:
        return (Edit(span, f"{name}.copy_({code})"),)
    if others:
        return (Edit(span, f"{place.tree.code(receiver)}.copy_({code})"),)
    code = f"({code})" if isinstance(body, (cst.BinaryOperation, cst.UnaryOperation)) else code
    return (Edit(span, f"{code}.to({place.tree.code(_tensor_of(base))}.dtype)"),)


def _copied(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """What `t.clone()` copies; None for another expression."""
    return node.func.value if _is_call(node, "clone") else None  # type: ignore[attr-defined,union-attr]


def _tensor_of(node: cst.BaseExpression) -> cst.BaseExpression:
    """`t` of `t.detach()`, or the expression itself."""
    return node.func.value if _is_call(node, "detach") else node  # type: ignore[attr-defined,union-attr]


def _is_call(node: cst.BaseExpression, method: str) -> bool:
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Attribute)
        and not node.args
        and node.func.attr.value == method
    )


def _function(place: FixSite, node: cst.BaseExpression) -> tuple[list[str], cst.BaseExpression]:
    """The names of a function's parameters, and what it returns."""
    found: cst.Lambda | cst.FunctionDef | None = node if isinstance(node, cst.Lambda) else None
    if isinstance(node, cst.Name):
        if node.value in local_names(place.function):
            scope = [n for n in statements(place.function.body) if isinstance(n, cst.FunctionDef)]
        else:
            scope = [n for n in place.tree.module.body if isinstance(n, cst.FunctionDef)]
        named = [n for n in scope if n.name.value == node.value]
        found = named[0] if len(named) == 1 and not named[0].decorators else None
    if found is None:
        raise FixNotApplicable(NoFix.DEFINED_ELSEWHERE, "the function is not available")
    taken = parameters(found)
    if any(p.default is not None for p in taken) or isinstance(found.params.star_arg, cst.Param):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "unsupported parameters")
    if isinstance(found, cst.Lambda):
        return [p.name.value for p in taken], found.body
    lines = [line for line in statements(found.body) if not _is_text(line)]
    last = lines[0].body[0] if len(lines) == 1 and isinstance(lines[0], cst.SimpleStatementLine) else None
    if not isinstance(last, cst.Return) or last.value is None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "more than an expression")
    return [p.name.value for p in taken], last.value


def _is_text(line: cst.CSTNode) -> bool:
    only = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    return isinstance(only, cst.Expr) and isinstance(only.value, (cst.SimpleString, cst.ConcatenatedString))


class _Expression:
    """A function of numbers, over tensors: `tensors` has the code of each parameter."""

    def __init__(self, place: FixSite, tensors: Mapping[str, str]) -> None:
        self.place = place
        self.tensors = tensors

    def number(self, node: cst.BaseExpression) -> str:
        """The code of a number that the function computes."""
        if not names(node).reads & self.tensors.keys():
            return self._constant(node)
        code = self._computed(node)
        # What stands for a name or a conditional expression is closed; an operation keeps the parentheses that it has.
        grouped = isinstance(node, (cst.BinaryOperation, cst.UnaryOperation)) and node.lpar
        return f"({code})" if grouped else code

    def _computed(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.Name):
            return self.tensors[node.value]
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            return f"-{self.number(node.expression)}"
        if isinstance(node, cst.BinaryOperation):
            return self._operation(node)
        if isinstance(node, cst.IfExp):
            one, two = self.number(node.body), self.number(node.orelse)
            if not names([node.body, node.orelse]).reads & self.tensors.keys():
                # Two numbers alone would be of the default dtype.
                one = f"{next(iter(self.tensors.values()))}.new_full((), {one})"
            return f"{self.place.torch}.where({self._test(node.test)}, {one}, {two})"
        if isinstance(node, cst.Call) and not any(a.star or a.keyword is not None for a in node.args):
            return self._called(node)
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not an expression over tensors")

    def _operation(self, node: cst.BinaryOperation) -> str:
        right = not names(node.right).reads
        # Up to the eighth, Python has a double for any number that single precision has.
        power = isinstance(node.operator, cst.Power) and 0 < (literal(node.right) or 0) <= 8
        divided = isinstance(node.operator, cst.Divide) and right and _not_zero(node.right)
        if not (isinstance(node.operator, _SAFE) or power or divided):
            raise FixNotApplicable(NoFix.UNTRACEABLE, "an operation that may raise")
        operator = self.place.tree.code(node.operator)
        return f"{self.number(node.left)}{operator}{self.number(node.right)}"

    def _test(self, node: cst.BaseExpression) -> str:
        if isinstance(node, cst.BooleanOperation):
            sign = "&" if isinstance(node.operator, cst.And) else "|"
            return f"({self._test(node.left)}) {sign} ({self._test(node.right)})"
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            return f"~({self._test(node.expression)})"
        if isinstance(node, cst.Comparison):
            parts, left = list[str](), node.left
            for target in node.comparisons:
                if not isinstance(target.operator, _COMPARED):
                    raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported comparison")
                operator = self.place.tree.code(target.operator)
                parts.append(f"{self.number(left)}{operator}{self.number(target.comparator)}")
                left = target.comparator
            return parts[0] if len(parts) == 1 else " & ".join([f"({part})" for part in parts])
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a comparison")

    def _called(self, node: cst.Call) -> str:
        name = dotted(node.func)
        if name.partition(".")[0] in local_names(self.place.function):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a function of its own")
        inner = [a.value for a in node.args]
        if (name == "abs" or (name.startswith("math.") and name[5:] in _FUNCTIONS)) and len(inner) == 1:
            torch_name = _FUNCTIONS.get(name[5:], "abs")
            return f"{self.place.torch}.{torch_name}({self.number(inner[0])})"
        if name in ("max", "min") and len(inner) == 2:
            # Of equal numbers, and of NaN, Python takes the first: `max(v, 0)` is `0 if 0 > v else v`.
            one, two = self.number(inner[0]), self.number(inner[1])
            sign = ">" if name == "max" else "<"
            return f"{self.place.torch}.where({two} {sign} {one}, {two}, {one})"
        raise FixNotApplicable(NoFix.UNTRACEABLE, "a function that may raise")

    def _constant(self, node: cst.BaseExpression) -> str:
        """A number that is the same for all elements, and no tensor."""
        known = self.place.inference.infer(node, self.place.environment())
        inside = enclosing([node], cst.Lambda, cst.NamedExpr)
        if (
            inside >= 0
            or isinstance(known, TensorSignature)
            or isinstance(node, (cst.SimpleString, cst.Tuple, cst.List))
        ):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "not a number")
        if not isinstance(node, (cst.Integer, cst.Float)) and names(node).reads:
            raise FixNotApplicable(NoFix.PYTHON_NUMBER, "a number from elsewhere")
        return self.place.tree.code(node)


def _not_zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.Float)) and node.evaluated_value != 0
