"""Tests that ask several tensors at once: `any` and `all`, `in`, `torch.equal` and `torch.allclose`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import TENSOR, Predicate, parenthesised, total, wrapped
from exportdb_rules.rewrite.known.signature import SCALAR, Number, TensorSignature, numeric
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from exportdb_rules.rewrite.branching.predicate import Predicates
    from exportdb_rules.rewrite.known.inference import Environment

# A list of more numbers than this is compared with one by one by nobody.
_MAX_NUMBERS: Final = 6

# Comparisons that ask nothing of the elements of their left side.
_NO_PAIRS: Final = (cst.In, cst.NotIn, cst.Is, cst.IsNot)


def compares(test: cst.BaseExpression) -> bool:
    """Whether a test is a call of `equal` or `allclose`."""
    return (
        isinstance(test, cst.Call)
        and isinstance(test.func, cst.Attribute)
        and test.func.attr.value in ("equal", "allclose")
    )


def compared(predicates: Predicates, test: cst.BaseExpression, env: Environment) -> Predicate:
    """`torch.equal` and `torch.allclose` as elementwise comparisons."""
    assert isinstance(test, cst.Call)
    assert isinstance(test.func, cst.Attribute)
    args = list(test.args)
    if dotted(test.func.value) != predicates.torch:
        args.insert(0, cst.Arg(test.func.value))
    if len(args) < 2 or any(a.star or a.keyword is not None for a in args[:2]):
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported call")
    one, two = [predicates.inference.infer(a.value, dict(env)) for a in args[:2]]
    if not isinstance(one, TensorSignature) or not isinstance(two, TensorSignature):
        raise FixNotApplicable(NoFix.TYPE_UNKNOWN, "nothing is known of what is compared")
    codes = [predicates.tree.code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in args]
    if test.func.attr.value == "equal":
        codes = [wrapped(a.value, code) for a, code in zip(args, codes, strict=True)]
        # equal is False for tensors of different shapes, where == would broadcast.
        # Sizes that are known in numbers may be those of the examples, and say nothing of other inputs.
        known = one.shape is not None and one.shape == two.shape and numeric(one.shape) in (None, ())
        guard = "" if known else f"{codes[0]}.shape == {codes[1]}.shape"
        if guard and any(True for a in args[:2] for _ in below(a.value, cst.Call)):
            raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "the shapes may differ")
        code = f"({codes[0]} == {codes[1]}).all()"
        return Predicate(code, TENSOR, scalar=True, guard=guard, operator="and" if guard else "")
    return Predicate(f"{predicates.torch}.isclose({', '.join(codes)}).all()", TENSOR, scalar=True)


def quantifies(predicates: Predicates, test: cst.BaseExpression, env: Environment) -> bool:
    """Whether a test is `any` or `all` of something that tensors decide."""
    given = _quantifier(test)
    if given is None:
        return False
    if isinstance(given, (cst.Tuple, cst.List)):
        return bool(given.elements)
    return isinstance(given, (cst.GeneratorExp, cst.ListComp)) and predicates.decides(given.elt, env)


def quantified(predicates: Predicates, test: cst.BaseExpression, env: Environment) -> Predicate | None:
    """`any` and `all` over tensors that are written out, or that a comprehension makes; None for anything else."""
    given = _quantifier(test)
    if given is None or not isinstance(test, cst.Call):
        return None
    name = dotted(test.func)
    if isinstance(given, (cst.GeneratorExp, cst.ListComp)):
        return _of_comprehension(predicates, name, given, env)
    assert isinstance(given, (cst.Tuple, cst.List))
    return _written_out(predicates, name, [e.value for e in given.elements], env)


def _quantifier(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """What `any(…)` or `all(…)` is given."""
    if (
        isinstance(test, cst.Call)
        and isinstance(test.func, cst.Name)
        and test.func.value in ("any", "all")
        and len(test.args) == 1
        and not test.args[0].star
    ):
        shown = test.args[0].value
        if isinstance(shown, (cst.Tuple, cst.List)):
            plain = shown.elements and not any(isinstance(e, cst.StarredElement) for e in shown.elements)
            return shown if plain else None
        return shown if isinstance(shown, (cst.GeneratorExp, cst.ListComp)) else None
    return None


def _written_out(predicates: Predicates, name: str, elements: list[cst.BaseExpression], env: Environment) -> Predicate:
    parts = [predicates.translate(element, env) for element in elements]
    if any(p.guard or p.kind != TENSOR for p in parts) or not all(total(e) for e in elements[1:]):
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "not only tensors")
    symbol = " & " if name == "all" else " | "
    code = symbol.join([p.code if p.atomic else parenthesised(p.code) for p in parts])
    return Predicate(code, TENSOR, all(p.scalar for p in parts), atomic=len(parts) == 1 and parts[0].atomic)


def _of_comprehension(
    predicates: Predicates, name: str, given: cst.GeneratorExp | cst.ListComp, env: Environment
) -> Predicate:
    clause = given.for_in
    if clause.ifs or clause.inner_for_in is not None or clause.asynchronous is not None:
        raise FixNotApplicable(NoFix.UNKNOWN_FORM, "a comprehension with more than one clause")
    part = predicates.translate(given.elt, env)
    if part.guard or part.kind != TENSOR or not total(given.elt):
        # any() stops at the first that is true: the others must have a value all the same.
        raise FixNotApplicable(NoFix.NOT_A_TENSOR, "not only tensors")
    source, target = clause.iter, clause.target
    if _rows(predicates, source) and isinstance(target, cst.Name) and _elementwise(given.elt, target.value):
        # Each row is one number, or Python could not have asked for its truth.
        whole = predicates.tree.code(_with(given.elt, source))
        return Predicate(f"({whole}).{name}()", TENSOR, scalar=True)
    if not _some(predicates, source):
        raise FixNotApplicable(NoFix.SHAPE_UNKNOWN, "there may be no element at all")
    loop = predicates.tree.code(given.for_in).strip()
    return Predicate(f"{predicates.torch}.stack([{part.code} {loop}]).{name}()", TENSOR, scalar=True)


def _rows(predicates: Predicates, source: cst.BaseExpression) -> bool:
    return predicates.inference.is_tensor(source)


def _elementwise(node: cst.BaseExpression, name: str) -> bool:
    """Whether a test compares the element itself with something else."""
    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return False
    link = node.comparisons[0]
    if isinstance(link.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot)):
        return False
    return (
        isinstance(node.left, cst.Name)
        and node.left.value == name
        and isinstance(link.comparator, (cst.Integer, cst.Float))
    )


def _with(node: cst.BaseExpression, source: cst.BaseExpression) -> cst.BaseExpression:
    """A comparison of the element as one of all rows at once."""
    assert isinstance(node, cst.Comparison)
    inner = source if dotted(source) or isinstance(source, cst.Call) else source.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])  # fmt: skip
    return node.with_changes(left=inner, lpar=[], rpar=[])


def _some(predicates: Predicates, source: cst.BaseExpression) -> bool:
    """Whether there is at least one element, as far as can be seen."""
    if isinstance(source, (cst.Tuple, cst.List)):
        return any(not isinstance(element, cst.StarredElement) for element in source.elements)
    value = predicates.inference.value(source)
    if value is None:
        return False
    for choice in lattice.choices(value):
        if isinstance(choice, lattice.Sequence):
            if choice.items == []:
                return False
            if choice.items is None and choice.element is None:
                return False
        elif type(choice) is domain.Tensor:
            if choice.unbacked:
                return False
        elif not isinstance(choice, domain.Instance):
            return False
    return True


def compares_sequences(predicates: Predicates, test: cst.BaseExpression) -> bool:
    """Whether a test is a comparison of tuples, lists or shapes, which Python makes pair by pair."""
    if not isinstance(test, cst.Comparison) or any(isinstance(c.operator, _NO_PAIRS) for c in test.comparisons):
        return False
    sides = [test.left, *(link.comparator for link in test.comparisons)]
    if any(isinstance(side, (cst.Tuple, cst.List)) for side in sides):
        return True
    values = [value for side in sides if (value := predicates.inference.value(side)) is not None]
    return any(isinstance(choice, (lattice.Sequence, domain.Shape)) for v in values for choice in lattice.choices(v))


def pairs(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """`(a, b) == (c, d)` as `a == c and b == d`; None where the elements are not written out on both sides."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    (link,) = test.comparisons
    left, right = test.left, link.comparator
    if not isinstance(left, (cst.Tuple, cst.List)) or type(left) is not type(right) or not left.elements:
        return None
    assert isinstance(right, (cst.Tuple, cst.List))
    elements = [*left.elements, *right.elements]
    if len(left.elements) != len(right.elements) or any(isinstance(e, cst.StarredElement) for e in elements):
        return None
    every = [
        cst.Comparison(one.value, [cst.ComparisonTarget(cst.Equal(), other.value)])
        for one, other in zip(left.elements, right.elements, strict=True)
    ]
    return functools.reduce(lambda a, b: cst.BooleanOperation(a, cst.And(), b), every)


def member(predicates: Predicates, test: cst.BaseExpression, env: Environment) -> Predicate | None:
    """`v in t` for a tensor t: whether any element equals v; `t in [1, 2]`: whether t is one of the numbers."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    link = test.comparisons[0]
    if not isinstance(link.operator, (cst.In, cst.NotIn)):
        return None
    sought = predicates.inference.infer(test.left, dict(env))
    if isinstance(sought, TensorSignature) and sought.shape != SCALAR:
        return None
    not_ = "~" if isinstance(link.operator, cst.NotIn) else ""
    two = parenthesised(predicates.code(test.left))
    if isinstance(sought, TensorSignature) and isinstance(link.comparator, (cst.List, cst.Tuple, cst.Set)):
        numbers = [e.value for e in link.comparator.elements]
        if not 0 < len(numbers) <= _MAX_NUMBERS:
            return None
        if not all(isinstance(predicates.inference.infer(n, dict(env)), Number) for n in numbers):
            return None
        equal = " | ".join([f"({two} == {predicates.code(n)})" for n in numbers])
        several = len(numbers) > 1
        code = f"{not_}({equal})" if not_ and several else f"{not_}{equal}"
        return Predicate(code, TENSOR, scalar=True, atomic=bool(not_) or not several)
    held = predicates.inference.infer(link.comparator, dict(env))
    if not isinstance(held, TensorSignature) or not isinstance(sought, (Number, TensorSignature)):
        return None
    one = parenthesised(predicates.code(link.comparator))
    return Predicate(f"{not_}({one} == {two}).any()", TENSOR, scalar=True)
