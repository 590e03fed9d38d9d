"""The test of an `if` as something that `torch.cond` takes: a boolean tensor or a SymBool."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching import collective
from exportdb_rules.rewrite.branching.condition import (
    SYMBOL,
    TENSOR,
    Predicate,
    alone,
    loose,
    parenthesised,
    total,
    wrapped,
)
from exportdb_rules.rewrite.known.arrays import refuse_arrays
from exportdb_rules.rewrite.known.mutation import side_effects
from exportdb_rules.rewrite.known.names import names, parameters, targets
from exportdb_rules.rewrite.known.signature import SCALAR, Number, TensorSignature, floating
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, children, dotted, statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_rules.rewrite.known.inference import Environment, Inference

_FLIPPED: Final[dict[type[cst.BaseCompOp], str]] = {
    cst.LessThan: ">=",
    cst.LessThanEqual: ">",
    cst.GreaterThan: "<=",
    cst.GreaterThanEqual: "<",
    cst.Equal: "!=",
    cst.NotEqual: "==",
}

# What `math` asks of a number, and torch of a tensor under the same name.
_CLASSES: Final = ("math.isnan", "math.isinf", "math.isfinite")

# All dtypes hold the numbers up to it, and their quarters.
_MAX_UNROUNDED: Final = 63


class Predicates:
    """Translates tests within one function; with `tensors`, `t.item() < 0.1` is one of the tensor: `t < 0.1`."""

    def __init__(self, inference: Inference, torch: str, *, tensors: bool = False) -> None:
        self.inference = inference
        self.tree = inference.tree
        self.torch = torch
        self.tensors = tensors

    def decides(self, test: cst.BaseExpression, env: Environment) -> bool:
        """Whether the test asks for data: a tensor's truth value, or an unbacked symbol's."""
        if isinstance(test, cst.BooleanOperation):
            return self.decides(test.left, env) or self.decides(test.right, env)
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return self.decides(test.expression, env)
        return self._kind(test, env) != ""

    def _kind(self, test: cst.BaseExpression, env: Environment) -> str:
        """TENSOR, SYMBOL (unbacked) or '' for what Python can decide."""
        if isinstance(test, cst.NamedExpr):
            return self._kind(test.value, env)
        if isinstance(test, cst.Comparison) and all(
            isinstance(c.operator, (cst.Is, cst.IsNot)) for c in test.comparisons
        ):
            return ""
        if collective.compares(test):
            return TENSOR
        inner = _conversion(test)
        if inner is not None:
            return self._kind(inner, env)
        if self._classified(test) is not None:
            return TENSOR
        if isinstance(test, cst.Call) and isinstance(test.func, cst.Attribute) and test.func.attr.value == "is_nonzero":
            return TENSOR
        if collective.quantifies(self, test, env) or collective.member(self, test, env) is not None:
            return TENSOR
        value = self.inference.value(test)
        if value is not None:
            kinds = lattice.choices(value)
            if any(type(c) is domain.Tensor for c in kinds):
                return TENSOR
            if self._symbols(value):
                return SYMBOL
        known = self.inference.infer(test, dict(env))
        if isinstance(known, TensorSignature):
            return TENSOR
        if isinstance(test, cst.Comparison):
            # A comparison whose own value was not recorded is as symbolic as what it compares.
            parts = [test.left, *(c.comparator for c in test.comparisons)]
            if any(self._kind(p, env) == TENSOR for p in parts):
                return TENSOR
            if any(self._kind(p, env) == SYMBOL for p in parts):
                return SYMBOL
        return ""

    def _symbols(self, value: domain.Value) -> list[domain.Sym]:
        """The symbols among the alternatives of a value that Python shall not decide by."""
        return [
            c for c in lattice.choices(value) if isinstance(c, domain.Sym) and (self.inference.sizes or not c.backed)
        ]

    def translate(self, test: cst.BaseExpression, env: Environment) -> Predicate:
        """The predicate for a test. Raises FixNotApplicable if there is no faithful one."""
        refuse_arrays(self.inference.tree, self.inference.function, test)
        if any(isinstance(part, domain.Tensor) and part.array for part in self.inference.parts(test)):
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "what numpy computes is not a tensor")
        return self._translated(test, env)

    def _translated(self, test: cst.BaseExpression, env: Environment) -> Predicate:
        """The predicate for a test, or for a part of one, that holds nothing of numpy's."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return self._negated(self._translated(test.expression, env), test.expression)
        if isinstance(test, cst.BooleanOperation):
            return self._joined(test, env)
        if collective.compares_sequences(self, test):
            return self._of_pairs(test, env)
        kind = self._kind(test, env)
        if not kind:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition is decided while tracing")
        inner = _conversion(test)
        if inner is not None:
            return self._translated(inner, env)
        read = self._classified(test)
        if read is not None:
            known = self.inference.infer(read, dict(env))
            scalar = isinstance(known, TensorSignature) and known.shape == SCALAR
            name = cst.ensure_type(test, cst.Call).func
            return Predicate(f"{self.torch}.{dotted(name)[5:]}({self.code(read)})", TENSOR, scalar)
        if collective.compares(test):
            return collective.compared(self, test, env)
        many = collective.quantified(self, test, env)
        if many is not None:
            return many
        if isinstance(test, cst.Comparison):
            return self._comparison(test, kind, env)
        return self._truth(test, kind, env)

    def code(self, node: cst.BaseExpression) -> str:
        """The source, with `len(t)` of a tensor, or of its `tolist()`, as `t.shape[0]`: `len` wants a plain int of the size."""
        if isinstance(node, cst.Call) and dotted(node.func) == "len" and len(node.args) == 1:
            measured = node.args[0].value
            counted = _item_of(measured, "tolist") or measured
            if self.inference.is_tensor(counted):
                return f"{parenthesised(self.tree.code(counted))}.shape[0]"
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            link = node.comparisons[0]
            left, right = self.code(node.left), self.code(link.comparator)
            if left != self.tree.code(node.left) or right != self.tree.code(link.comparator):
                return f"{left} {self.tree.module.code_for_node(link.operator).strip()} {right}"
        return alone(self.tree.code(node))

    def _of_pairs(self, test: cst.BaseExpression, env: Environment) -> Predicate:
        """A comparison of tuples or lists, of which `torch.cond` would have to ask each pair."""
        assert isinstance(test, cst.Comparison)
        every, operator = collective.pairs(test), test.comparisons[0].operator
        if every is None or not isinstance(operator, (cst.Equal, cst.NotEqual)):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the elements that are compared are not written out")
        equal = self._translated(every, env)
        return self._negated(equal, every) if isinstance(operator, cst.NotEqual) else equal

    def _truth(self, test: cst.BaseExpression, kind: str, env: Environment) -> Predicate:
        code = self.code(test)
        if kind == SYMBOL:
            value = self.inference.value(test)
            symbols = self._symbols(value) if value is not None else []
            receiver = self._item_of(test)
            if receiver is not None:
                return self._element(receiver, env)
            if isinstance(test, cst.Call) and dotted(test.func) in _CLASSES:
                raise FixNotApplicable(NoFix.UNTRACEABLE, "math asks a number that the graph does not have")
            if {c.type for c in symbols} == {"bool"}:
                whole = _item_of(test, "is_integer")
                if whole is not None:
                    return Predicate(self._divides(whole), SYMBOL, atomic=False)
                return Predicate(code, SYMBOL)
            if not symbols or not all(c.type in ("int", "float") for c in symbols):
                # `!= 0` of a SymBool is taken for true without looking (torch 2.13, both modes).
                raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "the number may be a SymBool")
            return Predicate(f"{parenthesised(code)} != 0", SYMBOL, atomic=False)
        if isinstance(test, cst.Call) and isinstance(test.func, cst.Attribute) and test.func.attr.value == "is_nonzero":
            function = dotted(test.func.value) == self.torch and len(test.args) == 1
            return self._element(test.args[0].value if function else test.func.value, env)
        if not isinstance(self.inference.infer(test, dict(env)), TensorSignature):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "nothing is known of the condition")
        return self._element(test, env)

    def _classified(self, test: cst.BaseExpression) -> cst.BaseExpression | None:
        """`t` of `math.isnan(t.item())` and the like, and of `math.isnan(t)`."""
        given = test.args[0].value if isinstance(test, cst.Call) and len(test.args) == 1 else None
        if given is None or dotted(cst.ensure_type(test, cst.Call).func) not in _CLASSES:
            return None
        return self._item_of(given) or (given if self.inference.is_tensor(given) else None)

    def _divides(self, quotient: cst.BaseExpression) -> str:
        """`n % k == 0` for `(n / k).is_integer()`, which is no predicate of a graph (torch 2.13, both modes). Raises
        FixNotApplicable for the call on anything else."""
        if not isinstance(quotient, cst.BinaryOperation) or not isinstance(quotient.operator, cst.Divide):
            raise FixNotApplicable(NoFix.UNTRACEABLE, "torch.cond does not take what is_integer gives")
        operands = [wrapped(node, self.tree.code(node)) for node in (quotient.left, quotient.right)]
        return f"{' % '.join(operands)} == 0"

    def _item_of(self, test: cst.BaseExpression) -> cst.BaseExpression | None:
        """`t` of `t.item()`, or of a name that the function gives that value and no other, while `t` stays what it is."""
        if isinstance(test, cst.Name):
            given = single_value(self.inference.function, test.value)
            if given is None or not isinstance(receiver := _item_of(given), cst.Name):
                return None
            stays = single_value(self.inference.function, receiver.value) is not None or _never_bound(
                self.inference.function, receiver.value
            )
            return (
                receiver
                if stays and receiver.value not in side_effects(self.inference.function.body.body).names
                else None
            )
        return _item_of(test)

    def _element(self, tensor: cst.BaseExpression, env: Environment) -> Predicate:
        """Whether the one element of a tensor is true."""
        known = self.inference.infer(tensor, dict(env))
        scalar = isinstance(known, TensorSignature) and known.shape == SCALAR
        code = self.code(tensor)
        if isinstance(known, TensorSignature) and known.dtype == "bool":
            return Predicate(code, TENSOR, scalar=scalar, atomic=not loose(tensor))
        code = wrapped(tensor, code)
        return Predicate(f"{code} != 0", TENSOR, scalar=scalar, atomic=False, opposite=f"{code} == 0")

    def _comparison(self, test: cst.Comparison, kind: str, env: Environment) -> Predicate:
        member = collective.member(self, test, env)
        if member is not None:
            return member
        scalar = isinstance(known := self.inference.infer(test, dict(env)), TensorSignature) and known.shape == SCALAR
        if any(isinstance(c.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot)) for c in test.comparisons):
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "membership has no tensor form here")
        if len(test.comparisons) == 1:
            read = self._of_items(test, env) if kind == SYMBOL else None
            if read is not None:
                return read
            if kind == SYMBOL and isinstance(test.comparisons[0].operator, cst.NotEqual):
                self._refuse_bools(test.left)
            opposite = self._flipped(test, env) if kind == TENSOR else ""
            return Predicate(self.code(test), kind, scalar=scalar, atomic=False, opposite=opposite)
        left, pieces = test.left, list[cst.Comparison]()
        for link in test.comparisons:
            pieces.append(cst.Comparison(left, [link]))
            left = link.comparator
        read = [one for piece in pieces if kind == SYMBOL and (one := self._of_items(piece, env)) is not None]
        if self.tensors and len(read) == len(pieces):
            code = " & ".join(f"({one.code})" for one in read)
            exact = all(one.exact for one in read)
            return Predicate(code, TENSOR, all(one.scalar for one in read), atomic=False, exact=exact)
        found = [self.inference.infer(piece, dict(env)) for piece in pieces]
        if kind == TENSOR and not all(isinstance(known, (TensorSignature, Number)) for known in found):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "nothing is known of a part of the comparison")
        code = " & ".join(f"({self.code(piece)})" for piece in pieces)
        scalar = all(isinstance(known, TensorSignature) and known.shape == SCALAR for known in found)
        return Predicate(code, kind, scalar=scalar, atomic=False)

    def _flipped(self, test: cst.Comparison, env: Environment) -> str:
        """The exact negation of a comparison of tensors, as another one; '' where it is none: a NaN is neither below a number
        nor at or above it."""
        (link,) = test.comparisons
        exact = isinstance(link.operator, (cst.Equal, cst.NotEqual)) or all(
            self._integral(side) or self._of_integers(side, env) for side in (test.left, link.comparator)
        )
        return f"{self.code(test.left)} {_FLIPPED[type(link.operator)]} {self.code(link.comparator)}" if exact else ""

    def _of_integers(self, node: cst.BaseExpression, env: Environment) -> bool:
        known = self.inference.infer(node, dict(env))
        return isinstance(known, TensorSignature) and str(known.dtype).startswith(("int", "uint"))

    def _of_items(self, test: cst.Comparison, env: Environment) -> Predicate | None:
        """A comparison of numbers that are read from tensors, as one of the tensors; None where it would be another one.

        Without `tensors` only that of `!=`, which export takes for true without looking where one may be a SymBool, with a
        number that no dtype rounds.
        """
        (link,) = test.comparisons
        sides = (test.left, link.comparator)
        read = [self._item_of(side) for side in sides]
        known = [self.inference.infer(one, dict(env)) for one in read if one is not None]
        dtypes = [one.dtype for one in known if isinstance(one, TensorSignature)]
        others = [side for side, one in zip(sides, read, strict=True) if one is None]
        if not known or len(dtypes) < len(known) or any(self._kind(other, env) for other in others):
            return None
        if len(known) == 2 and (None in dtypes or len({floating(dtype) for dtype in dtypes}) == 2):
            return None
        exact = not others or _unrounded(others[0])
        if not _fits(others, dtypes[0]) or not (self.tensors or (exact and isinstance(link.operator, cst.NotEqual))):
            return None
        codes = [self.code(a) if b is None else wrapped(b, self.code(b)) for a, b in zip(sides, read, strict=True)]
        scalar = all(isinstance(one, TensorSignature) and one.shape == SCALAR for one in known)
        opposite = ""
        if isinstance(link.operator, (cst.Equal, cst.NotEqual)):
            opposite = f" {_FLIPPED[type(link.operator)]} ".join(codes)
        operator = self.tree.module.code_for_node(link.operator).strip()
        return Predicate(f" {operator} ".join(codes), TENSOR, scalar, atomic=False, opposite=opposite, exact=exact)

    def _refuse_bools(self, node: cst.BaseExpression) -> None:
        """Raises FixNotApplicable where a number that is compared may be a SymBool: `!=` is taken for true without looking."""
        value = self.inference.value(node)
        symbols = self._symbols(value) if value is not None else []
        if not symbols or not all(c.type in ("int", "float") for c in symbols):
            raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "the number may be a SymBool")

    def _negated(self, inner: Predicate, node: cst.BaseExpression) -> Predicate:
        guard = f"not {parenthesised(inner.guard)}" if inner.guard else ""
        operator = {"and": "or", "or": "and", "": ""}[inner.operator]
        flipped = None
        if inner.kind == SYMBOL and isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            flipped = _FLIPPED.get(type(node.comparisons[0].operator))
        if flipped is not None and isinstance(node, cst.Comparison):
            # For integers the other comparison is the exact negation (a NaN would make both false).
            link = node.comparisons[0]
            if all(self._integral(p) for p in (node.left, link.comparator)):
                code = f"{self.code(node.left)} {flipped} {self.code(link.comparator)}"
                return Predicate(code, SYMBOL, guard=guard, operator=operator, atomic=False)
        if inner.kind == SYMBOL and inner.opposite:
            return Predicate(inner.opposite, SYMBOL, guard=guard, operator=operator, atomic=False)
        if inner.kind == SYMBOL:
            code = f"{self.torch}.sym_not({inner.code})"
            return Predicate(code, SYMBOL, guard=guard, operator=operator, opposite=inner.code)
        if inner.opposite:
            return Predicate(inner.opposite, TENSOR, inner.scalar, guard, operator, atomic=False, exact=inner.exact)
        code = inner.code if inner.atomic else parenthesised(inner.code)
        return Predicate(f"~{code}", TENSOR, inner.scalar, guard, operator, True, inner.code, inner.exact)

    def _integral(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Integer):
            return True
        value = self.inference.value(node)
        if value is None:
            return False
        return all(
            (isinstance(c, domain.Sym) and c.type == "int")
            or (isinstance(c, domain.Static) and c.type == "int")
            or (isinstance(c, domain.Const) and type(c.value) is int)
            for c in lattice.choices(value)
        )

    def _joined(self, test: cst.BooleanOperation, env: Environment) -> Predicate:
        operator = "and" if isinstance(test.operator, cst.And) else "or"
        lefts = _chain(test)
        terms = [lefts[0], *[left.right for left in lefts[1:] if isinstance(left, cst.BooleanOperation)]]
        counters = _counters(self.inference.function)
        parts: list[Predicate] = []
        guard, joined_by = "", ""
        for index, term in enumerate(terms):
            if not self.decides(term, env):
                if parts:
                    guard, joined_by = _guarded(self.code(term), operator, guard, joined_by), operator
                continue
            part = self._translated(term, env)
            if not parts:
                guard, joined_by = part.guard, part.operator
                if index:
                    guard = _guarded(self.code(lefts[index - 1]), operator, guard, joined_by)
                    joined_by = operator
            elif guard or part.guard:
                raise FixNotApplicable(NoFix.MIXED_CONDITION, "a mixture of what Python decides and what it cannot")
            elif part.kind != parts[0].kind and not self.tensors:
                return Predicates(self.inference, self.torch, tensors=True)._joined(test, env)
            elif part.kind != parts[0].kind:
                raise FixNotApplicable(NoFix.MIXED_CONDITION, "a tensor and a symbol in one condition")
            elif not total(term, counters, read=part.kind == TENSOR and part.scalar):
                raise FixNotApplicable(
                    NoFix.EVALUATION_ORDER, "the second part may only be evaluated if the first holds"
                )
            parts.append(part)
        if not parts:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition is decided while tracing")
        if len(parts) == 1:
            return replace(parts[0], guard=guard, operator=joined_by)
        symbol = "&" if operator == "and" else "|"
        code = f" {symbol} ".join([p.code if p.atomic else parenthesised(p.code) for p in parts])
        exact = all(part.exact for part in parts)
        return Predicate(code, parts[0].kind, all(p.scalar for p in parts), guard, joined_by, atomic=False, exact=exact)


def _unrounded(node: cst.BaseExpression) -> bool:
    """Whether an expression is a number that is written out and that all dtypes hold as it is."""
    literal = isinstance(node, (cst.Integer, cst.Float))
    return literal and node.evaluated_value <= _MAX_UNROUNDED and float(4 * node.evaluated_value).is_integer()


def _fits(others: Sequence[cst.BaseExpression], dtype: object) -> bool:
    """Whether a tensor compares with a number as its elements do: a whole number that its dtype does not hold wraps around."""
    numeral = others and isinstance(others[0], (cst.Integer, cst.UnaryOperation))
    return not numeral or _unrounded(others[0]) or dtype == "int64" or (dtype is not None and floating(dtype))


def _chain(test: cst.BooleanOperation) -> list[cst.BaseExpression]:
    """The first part of `a and b and c`, the first two, and so on to the whole: as long as the operator is the same."""
    found: list[cst.BaseExpression] = [test]
    while isinstance(inner := found[-1], cst.BooleanOperation) and type(inner.operator) is type(test.operator):
        found.append(inner.left)
    return found[::-1]


def _guarded(code: str, operator: str, guard: str, joined_by: str) -> str:
    """What Python decides of a test, with one part more."""
    if not guard:
        return code
    if joined_by != operator:
        raise FixNotApplicable(NoFix.MIXED_CONDITION, "a mixture of `and` and `or` over what Python decides")
    return f"{parenthesised(code)} {operator} {parenthesised(guard)}"


def _counters(function: cst.FunctionDef) -> frozenset[str]:
    """The names that loops of a function count with up to a size or a number, and that nothing else binds."""
    found: list[str] = []
    for loop in below(function.body, cst.For):
        size = loop.iter.args[:2][-1].value if isinstance(loop.iter, cst.Call) and loop.iter.args else None
        size = single_value(function, size.value) if isinstance(size, cst.Name) else size
        if isinstance(loop.iter, cst.Call) and dotted(loop.iter.func) == "range" and isinstance(loop.target, cst.Name):
            of_tensor = isinstance(size, cst.Subscript) and isinstance(size.value, cst.Attribute) and size.value.attr.value == "shape"  # fmt: skip
            counted = isinstance(size, cst.Call) and dotted(size.func).rpartition(".")[2] in ("len", "size")
            if (of_tensor or counted or isinstance(size, cst.Integer)) and loop.target.value not in names(
                loop.body
            ).writes:
                found.append(loop.target.value)
    return frozenset(name for name in found if found.count(name) == 1)


def _conversion(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """`t` of `bool(t)`."""
    if (
        isinstance(test, cst.Call)
        and isinstance(test.func, cst.Name)
        and test.func.value == "bool"
        and len(test.args) == 1
        and not test.args[0].star
        and test.args[0].keyword is None
    ):
        return test.args[0].value
    return None


def _item_of(test: cst.BaseExpression, method: str = "item") -> cst.BaseExpression | None:
    """`t` of `t.item()`, or of another method."""
    if isinstance(test, cst.Call) and isinstance(test.func, cst.Attribute) and test.func.attr.value == method:
        return test.func.value
    return None


def single_value(function: cst.FunctionDef, name: str) -> cst.BaseExpression | None:
    """The value of the one plain assignment that binds a local name of a function; None if there are others."""
    found: list[cst.BaseExpression] = []
    stack: list[cst.CSTNode] = list(statements(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, (cst.For, cst.While)) and name in names(node).writes:
            return None
        if isinstance(node, cst.Assign) and any(name in bound(t.target) for t in node.targets):
            if len(node.targets) != 1 or not isinstance(node.targets[0].target, cst.Name):
                return None
            found.append(node.value)
        elif isinstance(node, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr)) and name in bound(node.target):
            return None
        stack += children(node)
    if len(found) != 1 or name in {p.name.value for p in parameters(function)}:
        return None
    return found[0]


def _never_bound(function: cst.FunctionDef, name: str) -> bool:
    """Whether a name is a parameter that the function never binds anew."""
    return name in {p.name.value for p in parameters(function)} and name not in names(function.body).writes


def bound(target: cst.CSTNode) -> set[str]:
    """The names that an assignment target binds."""
    return {name.value for name in targets(target)}
