"""Sizes as terms: sums of products of dimensions, and what must hold for two of them to be equal.

Export does the same with sympy (torch docs, "Dynamic shapes"): a size of an input is a symbol, what is computed from it a
term, and an operator that needs two sizes to be equal adds that as a guard. Here a term is a polynomial with whole
coefficients over dimensions, and over quotients (`n // 2`), remainders (`n % 2`) and extremes (`min(n, 10)`), which count as
dimensions of their own: export does not know either that `n` is `2 * (n // 2) + n % 2`.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

# A dimension inside of a quotient: `n`, `x.shape[0]`.
_NAMES: Final = re.compile(r"[A-Za-z_][\w.]*(?:\[[^\]]*\])*")
# A quotient, or a remainder: what is divided, and by what.
_DIVIDED: Final = re.compile(r"\((.*) (//|%) (\d+)\)")
# A product of dimensions, in order; () is the number 1.
Product = tuple[str, ...]
# Export takes every dynamic size for one that is no smaller (torch docs: 0/1 specialization).
LEAST: Final = 2
# Of a term with more products than this nothing is known: powers of sums have no bound.
MAX_PRODUCTS: Final = 12
# So many more sizes are tried out of which a term may be 1.
_MOST_FOR_ONE: Final = 4096
# Up to this number it is tried out whether it divides a term.
_MOST_TRIED: Final = 64
_ANSWERS: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
# Which comparison holds where another does not.
NEGATED: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True, slots=True)
class Term:
    """A size. `parts` are products with their coefficients, in order, none of them 0; a number is the empty product."""

    parts: tuple[tuple[Product, int], ...] = ()

    @classmethod
    def number(cls, value: int) -> Term:
        """A known size."""
        return _term({(): value})

    @classmethod
    def dimension(cls, name: str) -> Term:
        """A size that is not known before the program runs."""
        return cls((((name,), 1),))

    @classmethod
    def written(cls, text: str) -> Term | None:
        """What a dimension is declared to be: a name, or a derived one such as `2 * n + 1`."""
        try:
            return _read(ast.parse(text, mode="eval").body)
        except SyntaxError:
            return None

    @property
    def divides(self) -> bool:
        """Whether a quotient, a remainder or an extreme is part of it."""
        return any(name.startswith("(") for product, _ in self.parts for name in product)

    @property
    def has_ratio(self) -> bool:
        """Whether a quotient by a term is part of it."""
        return any(_ratio(name) is not None for product, _ in self.parts for name in product)

    @property
    def has_remainder(self) -> bool:
        """Whether a remainder is part of it."""
        return any(_is_remainder(name) for product, _ in self.parts for name in product)

    @property
    def multiplies(self) -> bool:
        """Whether dimensions are multiplied with one another in it."""
        return any(len(product) > 1 for product, _ in self.parts)

    @property
    def mixes(self) -> bool:
        """Whether several dimensions are multiplied with one another in it, also parts of them: `(h // 2) * w`."""
        products = [product for product, _ in self.parts if len(product) > 1]
        return any(len(frozenset(inner for name in product for inner in _inside(name))) > 1 for product in products)

    @property
    def solves(self) -> bool:
        """Whether it is 0 for one size of a dimension only, which the others determine: `n - 2 * m`, but not `2 * n - 3 * m`,
        `n * m - 8` or `n // 2 - m`."""
        factors = [factor for product, factor in self.parts if product]
        if not factors or self.multiplies or self.divides or self.has_remainder:
            return False
        least = min(map(abs, factors))
        return all(factor % least == 0 for _, factor in self.parts)

    @property
    def leaves_one_size(self) -> bool:
        """Whether a guard that it is one number leaves a dimension a single size: `2 * n + 1`, but not `n // 2`, `n * m` or
        `n - m`, for which a guard is kept as it is (measured with torch 2.13)."""
        return len(self.dimensions) == 1 and not (self.multiplies or self.divides or self.has_remainder)

    @property
    def value(self) -> int | None:
        """The number that it is, if it is one."""
        if not self.parts:
            return 0
        return self.parts[0][1] if len(self.parts) == 1 and not self.parts[0][0] else None

    @property
    def dimensions(self) -> frozenset[str]:
        """The dimensions in it, those inside of quotients included."""
        return frozenset([inner for product, _ in self.parts for name in product for inner in _inside(name)])

    @property
    def linear(self) -> tuple[str, int, int] | None:
        """The one dimension in it, its factor, and what is added: `2 * n + 1`; None for any other term."""
        dims = [(product, factor) for product, factor in self.parts if product]
        if len(dims) != 1 or len(dims[0][0]) != 1:
            return None
        ((name,), factor) = dims[0]
        return name, factor, sum(number for product, number in self.parts if not product)

    def __add__(self, other: Term) -> Term:
        return _sum([*self.parts, *other.parts])

    def __sub__(self, other: Term) -> Term:
        return _sum([*self.parts, *[(product, -factor) for product, factor in other.parts]])

    def __mul__(self, other: Term) -> Term:
        return _sum([(tuple(sorted(p + q)), a * b) for p, a in self.parts for q, b in other.parts])

    def over(self, other: Term) -> Term | None:
        """What it is divided by a term without a remainder; None where that is not known to be possible."""
        if len(other.parts) != 1:
            return Term.number(1) if self == other else None
        ((by, divisor),) = other.parts
        found: list[tuple[Product, int]] = []
        for product, factor in self.parts:
            left = _without(product, by)
            if left is None:
                return None
            found.append((left, factor))
        common = gcd(divisor, *[factor for _, factor in found])
        left, divisor = _sum([(left, factor // common) for left, factor in found]), divisor // common
        return left.quotient(divisor) if left.is_multiple(divisor) else None

    def is_multiple(self, of: int) -> bool:
        """Whether a number divides it, whatever the sizes are: `n + -n % 4` is a multiple of 4. That is tried out."""
        if all(factor % of == 0 for _, factor in self.parts):
            return True
        shared = _shared(self)
        alone = _sum([(_without(product, shared) or (), factor) for product, factor in self.parts])
        names = alone.dimensions
        tried = range(LEAST, LEAST + of) if len(names) == 1 and of <= _MOST_TRIED else ()
        found = [alone.at(dict.fromkeys(names, size)) for size in tried]
        return bool(found) and all(value is not None and value % of == 0 for value in found)

    def quotient(self, by: int) -> Term:
        """`self // by`: what `by` divides is taken out, the rest is a dimension of its own."""
        whole: list[tuple[Product, int]] = []
        rest: list[tuple[Product, int]] = []
        for product, factor in self.parts:
            times, left = divmod(factor, by) if not product or not factor % by else (0, factor)
            whole.append((product, times))
            rest.append((product, left))
        below = _sum(rest)
        if below.value is None:
            whole.append(((_divided(below, "//", by),), 1))
        return _sum(whole)

    def rounded(self) -> Term:
        """A whole number that was a float in between: export does not know it to be the same (measured with torch 2.13)."""
        return self if self.divides or self.value is not None else Term((((_divided(self, "//", 1),), 1),))

    def ratio(self, by: Term) -> Term:
        """What is left behind a size that divides it: `n // (n // 4)`, which export does not know to be 4."""
        exact = self.over(by)
        if exact is not None or by.value is not None:
            return exact or self.quotient(by.value or 1)
        return Term.dimension(f"({_bracketed(self)} // ({by}))")

    def remainder(self, by: int) -> Term:
        """`self % by`, without what `by` divides."""
        left = _sum([(product, factor) for product, factor in self.parts if factor % by])
        return Term.number(left.value % by) if left.value is not None else Term.dimension(_divided(left, "%", by))

    def proven_least(self, lowest: Callable[[str], int]) -> int | None:
        """What export proves a sum with quotients of dimensions to be at least, given the smallest size of each. It counts a
        dimension from there, takes what divides out of a quotient, and takes the rest for no less than 0: of `t // 2` it proves
        3 where t is above 6, and 0 where t is above 7 (measured with torch 2.13). None where there is no quotient, or another
        term in it."""
        total, divided = 0, False
        for product, factor in self.parts:
            if not product:
                total += factor
                continue
            parts = _parts(product[0]) if len(product) == 1 else None
            line = None if parts is None or parts[1] != "//" else parts[0].linear
            if parts is None or line is None or line[0].startswith("(") or line[1] < 1 or factor < 1:
                return None
            name, times, rest = line
            least = times * (lowest(name) - 1) + rest
            # Here `(t - 1) // 2 + 1` is `(t + 1) // 2`.
            total += factor * (least // parts[2] if least % parts[2] == 0 else int(rest > 0))
            divided = True
        return total if divided else None

    def proven_range(self, lowest: Callable[[str], int], highest: Callable[[str], float]) -> tuple[float, float]:
        """Between which numbers export proves it to lie, given the range of each dimension: each time that one occurs it is
        taken for itself, and a remainder for no more than what the divisor leaves (measured with torch 2.13)."""
        low = high = 0.0
        for product, factor in self.parts:
            ranges = [_range(name, lowest, highest) for name in product]
            ends = sorted(factor * math.prod(end) for end in (zip(*ranges, strict=True) if ranges else [(1,)]))
            low, high = low + ends[0], high + ends[-1]
        return low, high

    def at(self, sizes: Mapping[str, int]) -> int | None:
        """What it is where its dimensions have these sizes; None where one of them is not among them."""
        total = 0
        for product, factor in self.parts:
            for name in product:
                size = sizes.get(name)
                if size is None and (parts := _parts(name)) is not None:
                    term, operator, by = parts
                    whole = term.at(sizes)
                    size = None if whole is None else whole // by if operator == "//" else whole % by
                elif size is None and (ratio := _ratio(name)) is not None:
                    whole, divisor = (part.at(sizes) for part in ratio)
                    size = whole // divisor if whole is not None and divisor else None
                elif size is None and (one := _extreme(name)) is not None:
                    numbers = [number for part in one[1] if (number := part.at(sizes)) is not None]
                    size = None if len(numbers) < 2 else min(numbers) if one[0] == "min" else max(numbers)
                if size is None:
                    return None
                factor *= size
            total += factor
        return total

    def __str__(self) -> str:
        shown = ""
        for product, factor in sorted(self.parts, key=lambda part: (not part[0], part)):
            text = " * ".join([*([str(abs(factor))] if abs(factor) != 1 or not product else []), *product])
            sign = "-" if factor < 0 else "+"
            shown += f" {sign} {text}" if shown else f"-{text}" if factor < 0 else text
        return shown or "0"


@dataclass(frozen=True, slots=True)
class Demand:
    """What must hold for two sizes to be equal that are not the same term.

    kind: `number`: a dimension must be just that `number`; `multiple`: it must be a multiple of `number`; `least`: it must
    be no smaller than `number`; `most`: no larger; `relation`: the two must have the relation of `text`; `frozen`: tracing
    specializes it to the example's size; `unproven`: `text` holds, and export does not see it. `dimension` is the one that
    the first four speak of; `dimensions` are all. Of two sizes that are equal `difference` is what is 0. `narrows`: a
    quotient is part of the relation, or it leaves a declared range smaller than it is: export refuses such a declaration.
    `factor` is how often a dimension that must be a number is part of the size that must be one. `strict`: strict export
    refuses sizes that are smaller, too, because the operator itself does. `leaves_one`: of that number, the example's, or of
    all sizes up to it, an operator leaves 1, which is specialized as a size of an input is. `mixed`: what export asks multiplies
    several dimensions with one another, which it solves for none of them: under names, the program checks it when it runs (measured
    with torch 2.13). `adopted`: export accepts the declaration, and the program refuses the sizes that it allows beyond.
    """

    kind: str
    text: str
    dimensions: frozenset[str]
    dimension: str = ""
    number: int = 0
    difference: Term | None = None
    narrows: bool = False
    factor: int = field(default=1, compare=False)
    strict: bool = field(default=True, compare=False)
    leaves_one: bool = field(default=False, compare=False)
    mixed: bool = field(default=False, compare=False)
    adopted: bool = field(default=False, compare=False)


def demanded(a: Term, b: Term) -> Demand | None:
    """What `a == b` demands; None where it holds for all sizes, or for none: then something else is not known rightly."""
    whole, shared = a - b, _shared(a - b)
    # No size is 0: what both sides are multiplied with does not matter.
    difference = (whole.over(Term(((shared, 1),))) if shared else None) or whole
    if difference.value is not None or not _may_vanish(difference) or _is_asked(difference):
        return None
    every = difference.dimensions
    rest = sum(factor for product, factor in difference.parts if not product)
    dims = [(product, factor) for product, factor in difference.parts if product]
    if len(dims) == 1 and len(dims[0][0]) == 1:
        ((name,), factor) = dims[0]
        if rest % factor or -rest // factor < 0:
            return None
        number = -rest // factor
        divided = _parts(name)
        if divided is not None:
            inner, operator, by = divided
            plain = inner.linear if operator == "%" and not number else None
            if plain is not None and not plain[0].startswith("(") and not plain[2]:
                return divides(by, inner)
            return Demand("relation", f"{name} == {number}", every, difference=difference, narrows=difference.divides)
        if name.startswith("("):
            return Demand("unproven", f"{name[1:-1]} == {number}", every, difference=difference)
        return Demand("number", f"{name} == {number}", every, name, number, factor=abs(factor))
    factored, mixed = _floored(difference), whole.mixes
    if factored is not None:
        name, by = factored
        return Demand("multiple", f"{name} % {by} == 0", every, name, by, mixed=mixed)
    # Export does solve it for a number then (`n * 2 * b == n * 6`), but not for another size (measured with torch 2.13).
    common = Term.number(gcd(*[factor for _, factor in whole.parts]))
    parts = [term.over(common) for term in (a, b, whole)]
    a, b, whole = [part for part in parts if part is not None] if None not in parts else [a, b, whole]
    return Demand("relation", f"{a} == {b}", whole.dimensions, difference=whole, narrows=whole.divides, mixed=mixed)


def least(term: Term, low: int, smallest: Callable[[str], int] = lambda _: LEAST) -> Demand | None:
    """What `term >= low` demands of the one dimension in it; None where it has several, or holds from the smallest size on that
    the dimension may have."""
    line = _growing(term, quotients=True)
    if line is None:
        return None
    name, factor, rest = line
    needed = -((rest - low) // factor)
    if _extreme(name) is not None:
        return None
    divided = _parts(name)
    if divided is not None:
        whole, operator, by = divided
        return least(whole, needed * by, smallest) if operator == "//" else None
    return Demand("least", f"{name} >= {needed}", term.dimensions, name, needed) if needed > smallest(name) else None


def leaves_one(term: Term, sizes: Mapping[str, int]) -> Demand | None:
    """What it demands of a dimension that a term is 1 in the example, which export takes for the constant 1: the example's size, where
    no other makes 1 of it, or else no size above those that do (measured with torch 2.13)."""
    if len(term.dimensions) != 1 or term.at(sizes) != 1:
        return None
    (name,) = term.dimensions
    number = largest = sizes[name]
    while largest < number + _MOST_FOR_ONE and term.at({name: largest + 1}) == 1:
        largest += 1
    if number < LEAST or largest == number + _MOST_FOR_ONE:
        return None
    if largest == number and (number == LEAST or term.at({name: number - 1}) != 1):
        return Demand("number", f"{name} == {number}", term.dimensions, name, number, leaves_one=True)
    return Demand("most", f"{name} <= {largest}", term.dimensions, name, largest, leaves_one=True)


def lowest(whole: Term, part: Term) -> tuple[Term, Term] | None:
    """A quotient of two products in lowest terms; None where one of the two is a sum."""
    if len(whole.parts) != 1 or len(part.parts) != 1:
        return None
    ((names, factor),), ((others, divisor),) = whole.parts, part.parts
    common, shared = gcd(factor, divisor), Counter(names) & Counter(others)
    left, by = (tuple(sorted((Counter(each) - shared).elements())) for each in (names, others))
    return Term(((left, factor // common),)), Term(((by, divisor // common),))


def never_below(term: Term, low: int) -> bool:
    """Whether a term is no smaller than a number whatever the sizes of its dimensions are."""
    return _lower(term) >= low


def _lower(term: Term) -> float | Fraction:
    """What a term is no smaller than, whatever the sizes of its dimensions are; minus infinity where that is not known."""
    total: dict[Product, Fraction] = defaultdict(Fraction)
    for product, factor in term.parts:
        for product_, factor_ in _without_quotients(product, factor):
            total[product_] += factor_
    if any(factor < 0 for product, factor in total.items() if product):
        return -math.inf
    return sum((factor * math.prod(map(_lowest, product)) for product, factor in total.items()), start=Fraction(0))


def _lowest(name: str) -> float | Fraction:
    """The smallest size of a dimension, or of the larger or smaller one of two terms."""
    compared = _extreme(name)
    if compared is None:
        return LEAST
    lowest = (min if compared[0] == "min" else max)(map(_lower, compared[1]))
    return lowest if lowest >= 0 else -math.inf


def _without_quotients(product: Product, factor: int) -> list[tuple[Product, Fraction]]:
    """What a product of dimensions is no smaller than, as a sum of products without quotients: `(n // 2)` is not above
    `n / 2`, and not below `(n - 1) / 2`; `(n % 4)` is not above 3, and not below 0."""
    found: list[tuple[Product, Fraction]] = [((), Fraction(factor))]
    for name in product:
        divided = _parts(name)
        if divided is None:
            parts: list[tuple[Product, Fraction]] = [((name,), Fraction(1))]
        elif divided[1] == "%":
            parts = [((), Fraction(divided[2] - 1 if factor < 0 else 0))]
        else:
            whole, _, by = divided
            parts = [(inner, Fraction(number, by)) for inner, number in whole.parts]
            parts += [((), Fraction(1 - by, by))] if factor > 0 else []
        found = [(tuple(sorted(p + q)), a * b) for p, a in found for q, b in parts]
    return found


def most(term: Term, high: int) -> Demand | None:
    """What `term <= high` demands of the one dimension in it; None where it has several, or no size above 1 fulfils it."""
    line = _growing(term)
    if line is None:
        return None
    name, factor, rest = line
    allowed = (high - rest) // factor
    return Demand("most", f"{name} <= {allowed}", term.dimensions, name, allowed) if allowed >= LEAST else None


def _growing(term: Term, *, quotients: bool = False) -> tuple[str, int, int] | None:
    """`Term.linear` of a term that grows with its dimension, or with a quotient of one."""
    line = None if _is_asked(term) else term.linear
    return None if line is None or line[1] < 1 or (line[0].startswith("(") and not quotients) else line


def frozen(term: Term | None) -> Demand | None:
    """That tracing specializes what a term is made of; None where it is not known, or a number."""
    if term is None or not term.dimensions:
        return None
    return Demand("frozen", str(term), term.dimensions, str(term) if len(term.parts) == 1 else "")


def compared(operator: str, a: Term, b: Term) -> Demand | None:
    """What `a operator b` demands, for `==`, `<`, `<=`, `>` and `>=`; None where no declaration can say that."""
    if operator == "==":
        return demanded(a, b)
    low, high = (b, a) if operator in (">", ">=") else (a, b)
    # `low <= high` or, of whole numbers, `low + 1 <= high`.
    left = high - low - Term.number(operator in ("<", ">"))
    return least(left, 0) or most(Term.number(0) - left, 0)


def answered(asked: tuple[str, Term, Term], sizes: Mapping[str, int]) -> bool | None:
    """The answer of a comparison where the dimensions have these sizes; None where one of them is not among them."""
    kind, one, other = asked
    difference = (one - other).at(sizes)
    return None if difference is None else _ANSWERS[kind](difference, 0)


def solved(difference: Term, name: str) -> tuple[str, str, int, int] | None:
    """`name == factor * root + rest`, from a difference that is 0, for a positive factor; None where that has no such form."""
    factors = {product[0]: factor for product, factor in difference.parts if len(product) == 1}
    rest = sum(factor for product, factor in difference.parts if not product)
    if len(factors) != 2 or sum(bool(product) for product, _ in difference.parts) != 2 or name not in factors:
        return None
    own = factors.pop(name)
    ((root, other),) = factors.items()
    if root.startswith("(") or other % own or rest % own or -other // own < 1:
        return None
    return name, root, -other // own, -rest // own


def divides(by: int, term: Term) -> Demand | None:
    """What `term % by == 0` demands; None where it holds for all sizes."""
    left = [(product, factor) for product, factor in term.parts if factor % by]
    if not left or all(not product for product, _ in left):
        return None
    plain = len(left) == 1 and len(left[0][0]) == 1
    name = left[0][0][0] if plain else ""
    if not name or name.startswith("("):
        return Demand("relation", f"({term}) % {by} == 0", term.dimensions, narrows=term.divides)
    number = by // gcd(by, left[0][1])
    return Demand("multiple", f"{name} % {number} == 0", term.dimensions, name, number)


def _floored(difference: Term) -> tuple[str, int] | None:
    """`n - k * (n // k)`, multiplied by anything: n, and k."""
    if len(difference.parts) != 2:
        return None
    for (plain, a), (floored, b) in (difference.parts, difference.parts[::-1]):
        common = Counter(plain) & Counter(floored)
        name, quotient = [*(Counter(plain) - common).elements()], [*(Counter(floored) - common).elements()]
        if len(name) == len(quotient) == 1 and not name[0].startswith("(") and b % a == 0:
            by = -b // a
            if by > 1 and quotient[0] == f"({name[0]} // {by})":
                return name[0], by
    return None


def _shared(term: Term) -> Product:
    """The dimensions by which every product in a term is multiplied."""
    counts = [Counter([name for name in product if not name.startswith("(")]) for product, _ in term.parts]
    return tuple(sorted(reduce(lambda one, other: one & other, counts).elements())) if counts else ()


def _may_vanish(difference: Term) -> bool:
    """Whether a term can be 0 at all, for sizes above 0; a remainder can."""
    signs = {factor > 0 for _, factor in difference.parts}
    return len(signs) == 2 or all(any(_is_remainder(name) for name in product) for product, _ in difference.parts)


def _is_remainder(name: str) -> bool:
    divided = _DIVIDED.fullmatch(name)
    return divided is not None and divided[2] == "%"


def _divided(term: Term, operator: str, by: int) -> str:
    """The name of a quotient or a remainder."""
    return f"({_bracketed(term)} {operator} {by})"


def _bracketed(term: Term) -> str:
    return f"({term})" if len(term.parts) > 1 else str(term)


def _is_asked(term: Term) -> bool:
    """Whether `n // (n // 4)` is part of it: that it is 4 was asked, as `n % 4 == 0`, where it was made."""
    ratios = [ratio for product, _ in term.parts for name in product if (ratio := _ratio(name)) is not None]
    parts = [(whole, _parts(line[0])) for whole, by in ratios if (line := by.linear) is not None and not line[2]]
    return any(divided is not None and divided[0] == whole for whole, divided in parts)


def _range(name: str, lowest: Callable[[str], int], highest: Callable[[str], float]) -> tuple[float, float]:
    """Between which numbers a dimension, a quotient or a remainder lies."""
    parts = _parts(name)
    if parts is None and (compared := _extreme(name)) is not None:
        chosen = min if compared[0] == "min" else max
        ends = [term.proven_range(lowest, highest) for term in compared[1]]
        return chosen(ends[0][0], ends[1][0]), chosen(ends[0][1], ends[1][1])
    if parts is None:
        return (-math.inf, math.inf) if name.startswith("(") else (lowest(name), highest(name))
    whole, operator, by = parts
    if operator == "%":
        return 0, by - 1
    low, high = [end if math.isinf(end) else end // by for end in whole.proven_range(lowest, highest)]
    return low, high


def _ratio(name: str) -> tuple[Term, Term] | None:
    """What is divided, and by which term, in the name of a quotient by a term."""
    node = _expression(name) if " // (" in name else None
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.FloorDiv):
        return None
    whole, by = (_read(part, places=True) for part in (node.left, node.right))
    return None if whole is None or by is None or by.value is not None else (whole, by)


def _parts(name: str) -> tuple[Term, str, int] | None:
    """What is divided, how, and by what, in the name of a quotient or a remainder: `((m + 1) // 2)`."""
    found = _DIVIDED.fullmatch(name)
    term = None if found is None else _parsed(found[1])
    return None if found is None or term is None else (term, found[2], int(found[3]))


def _parsed(text: str) -> Term | None:
    node = _expression(text)
    return None if node is None else _read(node, places=True)


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def _inside(name: str) -> list[str]:
    """The dimensions that a name stands for: itself, or what a quotient is of."""
    if not name.startswith("("):
        return [name]
    return [inner for inner in _NAMES.findall(name) if inner not in ("min", "max")]


def extreme(form: str, a: Term, b: Term) -> Term | None:
    """`min(a, b)` or `max(a, b)`; None where nothing is known of it."""
    smaller = a if never_below(b - a, 0) else b if never_below(a - b, 0) else None
    if smaller is not None:
        return smaller if form == "min" else b if smaller is a else a
    if any(term.divides for term in (a, b)):
        return None
    return Term.dimension(f"({form}({', '.join(sorted((str(a), str(b))))}))")


def _extreme(name: str) -> tuple[str, tuple[Term, Term]] | None:
    """Of which two terms a name is the smaller or larger one."""
    node = _expression(name) if name.startswith("(m") else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return None
    one, other = (_read(part, places=True) for part in node.args)
    return None if one is None or other is None else (node.func.id, (one, other))


def _without(product: Product, by: Product) -> Product | None:
    left = list(product)
    for name in by:
        if name not in left:
            return None
        left.remove(name)
    return tuple(left)


def _sum(parts: Iterable[tuple[Product, int]]) -> Term:
    sums: dict[Product, int] = defaultdict(int)
    for product, factor in parts:
        sums[product] += factor
    return _term(sums)


def _term(sums: Mapping[Product, int]) -> Term:
    return Term(tuple(sorted([(product, factor) for product, factor in sums.items() if factor])))


def _read(node: ast.expr, *, places: bool = False) -> Term | None:
    if isinstance(node, ast.Name) or (places and isinstance(node, (ast.Attribute, ast.Subscript))):
        return Term.dimension(ast.unparse(node))
    if isinstance(node, ast.Constant):
        return Term.number(node.value) if type(node.value) is int else None
    if isinstance(node, ast.Call) and places:
        return Term.dimension(f"({ast.unparse(node)})")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        term = _read(node.operand, places=places)
        return None if term is None else Term() - term
    if isinstance(node, ast.BinOp):
        left, right = _read(node.left, places=places), _read(node.right, places=places)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.FloorDiv) and places and right.value is None:
            return left.ratio(right)
        if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and places and (right.value or 0) > 0:
            divide = left.quotient if isinstance(node.op, ast.FloorDiv) else left.remainder
            return divide(right.value or 1)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
    return None


def product(terms: Iterable[Term | None]) -> Term | None:
    """The product of sizes; None where one is not known, or it has no short form."""

    def times(a: Term | None, b: Term | None) -> Term | None:
        made = None if a is None or b is None else a * b
        return made if made is not None and len(made.parts) <= MAX_PRODUCTS else None

    start: Term | None = Term.number(1)
    return reduce(times, terms, start)
