"""# shape-branch

## What it does
Finds branches, asserts, `torch._check` and comparisons on a size that the project declares as dynamic (or
`--assume-dynamic` does). On static sizes they are decided while tracing and are not reported. `(height, width) == (8, 8)`
compares size by size, and so do `in`, `sorted`, `list.index` and `list.count`.

## Why export cannot do it
The branch becomes a guard. With a named `Dim`, export raises ConstraintViolationError with suggested fixes; with
`Dim.DYNAMIC` it fails or narrows the range; with `Dim.AUTO` it silently narrows or specializes the dimension.

## Example
```python
def forward(self, x):          # x's first dimension is dynamic
    if x.shape[0] > 5:
        return x + 1
    return x - 1
```

## Use instead
```python
def forward(self, x):
    return torch.cond(x.shape[0] > 5, lambda x: x + 1, lambda x: x - 1, (x,))
```

## Fix safety
A guard around `F.pad` that holds where there is something to pad is removed, which is safe: padding by 0 changes nothing.
`k - n % k` under `if n % k != 0` becomes `-n % k`.
Otherwise unsafe: `torch.cond` costs milliseconds per call in eager. For an assert, a check, or a branch that only raises,
the fix declares what is asserted: a range, a derived Dim, one Dim for two dimensions; the exported program accepts only
these sizes, as with `Dim.AUTO` or `Dim.DYNAMIC` instead of a named Dim.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB302` prints them.

## References
- ExportDB: `dynamic_shape_if_guard`
- torch.export programming model, "Dynamic shapes"
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from exportdb_rules.catalog.control_flow.guards import asserted, raises_only, sequences_differ
from exportdb_rules.facts import TruthTested
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.terms import demanded
from exportdb_rules.values import Evidence, Sym
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeGuard

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.terms import Demand, Term


# What a named Dim must promise for a check never to raise, and the measured program where it does not.
_DEMANDED = {"number": "shape_equal", "multiple": "dim_not_divisible", "relation": "equal_sizes_named"}

# Of a size with an example, and of one without; and of one that is asserted or checked.
_MESSAGES = (
    "{} branches on a dynamic dimension: only the example's path is exported and the dimension is narrowed or specialized",
    "{} needs a guard on the unbacked size of an input: declare a range that decides it, assert it with `torch._check`, or "
    "use `torch.cond`",
)
_ASSERTED = "{} has to hold of a dynamic dimension: export narrows the dimension to it, or fails if a named Dim allows other sizes"


def _case(fact: TruthTested) -> str:
    """The measured program that asks the same kind of question of a size."""
    if fact.form == "assert":
        return "shape_assert"
    if raises_only(fact.statement):
        return "shape_raise_auto_equal" if _equality(fact.site.node) else "shape_raise"
    if fact.form in ("min", "max", "min-mixed", "max-mixed"):
        return "shape_min"
    node = fact.site.node
    if isinstance(node, ast.BinOp):
        return "shape_modulo"
    asked = fact.value.asked if type(fact.value) is Sym else None
    if not _equality(node):
        return "shape_equal" if asked is not None and asked[0] in ("==", "!=") else "shape_branch"
    compared = node.left
    if isinstance(compared, ast.BinOp) and isinstance(compared.op, ast.Mod):
        return "shape_modulo"
    if asked is not None and _divides(asked[1], asked[2]):
        return "shape_modulo"
    several = asked is not None and len((asked[1] - asked[2]).dimensions) > 1
    return "shape_equal_sizes" if several else "shape_equal"


def _case_of_several(fact: TruthTested, context: Context) -> str | None:
    """The measured program for several comparisons that Python makes by itself; None for a single one.

    Of tuples or lists that differ in the example, non-strict export has a guard on each pair up to the first that differs,
    strict export has one on the whole, even where the program raises. And what is not constant strict export does not sort; a
    guard that narrows no named Dim leaves as much in non-strict mode as one on dimensions without a name.
    """
    if fact.form in ("sorted", "sort"):
        return "shape_sorted_dynamic" if fact.open and context.dimensions == "named" else context.sized("shape_sorted")
    if type(fact.value) is not Sym or fact.value.asked is None or not sequences_differ(fact.value):
        return None
    if _divides(*fact.value.asked[1:]):
        return None
    differs = fact.seen is (fact.value.asked[0] == "!=")
    return context.sized("shape_pair_unequal" if differs else "shape_pair_partly")


def _raising_case(fact: TruthTested, demand: Demand | None, dimensions: str) -> str:
    """The measured program that raises unless a size is what is demanded: a guard that lets all through that eager takes, and
    one of a single size freezes it."""
    number = demand is not None and demand.kind == "number"
    if fact.form == "assert":
        return "shape_assert_equal" if number else "shape_assert"
    if dimensions == "unbacked" or not (number or (demand is None and _equality(fact.site.node))):
        return "shape_raise"
    return "shape_raise_equal" if dimensions == "dynamic" else "shape_raise_auto_equal"


def _equality(node: ast.AST) -> TypeGuard[ast.Compare]:
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq))


def _divides(one: Term, other: Term) -> bool:
    """Whether two sizes are equal where a dimension is a multiple of a number: `2 * (n // 2) == n`."""
    demand = demanded(one, other)
    return demand is not None and demand.kind == "multiple"


def _differs(fact: TruthTested) -> bool:
    """Whether two sizes that are compared differ in the example: all others that differ take the same path, which are all but
    one. What is left by a division is often the same."""
    asked = fact.value.asked if type(fact.value) is Sym else None
    return asked is not None and fact.seen is (asked[0] == "!=") and not (asked[1] - asked[2]).has_remainder


class ShapeBranch(Rule):
    """Python control flow depends on a dynamic size."""

    code = "EDB302"
    name = "shape-branch"
    family = "dynamic_shape"
    summary = "Python control flow depends on a dynamic size"
    facts = (TruthTested,)
    cases = (
        "shape_branch_auto",
        "shape_branch_named",
        "shape_equal_auto",
        "shape_equal_named",
        "shape_assert_named",
        "check_size_named",
        "cond_check_inside",
        "shape_raise_auto_equal",
        "shape_modulo",
        "shape_modulo_named",
        "shape_branch_unbacked",
        "shape_equal_unbacked",
        "shape_raise_unbacked",
        "shape_assert_equal_unbacked",
        "bool_of_size_unbacked",
        "shape_while_unbacked",
        "shape_equal_dynamic",
        "shape_equal_half_dynamic",
        "shape_assert_equal_auto",
        "shape_assert_equal_dynamic",
        "shape_raise_equal_dynamic",
        "shape_unequal_named",
        "shape_order_dims_named",
        "shape_unequal_dims_named",
        "shape_equal_sizes_auto",
        "shape_equal_sizes_dynamic",
        "shape_equal_sizes_named",
        "shape_pair_unequal_named",
        "shape_pair_partly_auto",
        "shape_pair_partly_dynamic",
        "shape_pair_partly_named",
        "shape_sorted_auto",
        "shape_sorted_dynamic",
        "shape_sorted_named",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        assert isinstance(fact, TruthTested)
        value = fact.value
        if type(value) is not Sym or not value.backed:
            return
        unbacked = context.dimensions == "unbacked"
        message = _ASSERTED if fact.form == "assert" and not unbacked else _MESSAGES[unbacked]
        text = message.format(quote(fact.site))
        if (case := _case_of_several(fact, context)) is not None:
            yield Violation(fact.site, case, text, evidence=value.evidence, fixable=True)
            return
        case = _case(fact)
        if case == "shape_raise" and context.dimensions == "named":
            # What a named Dim promises must get past a raise as it must past an assert.
            case = "shape_assert"
        if case in ("shape_equal", "shape_equal_sizes") and _differs(fact):
            case = "shape_unequal"
        raising = fact.form == "assert" or raises_only(fact.statement)
        demand = asserted(fact.statement, fact.site.node, value) if raising else None
        if raising and context.dimensions in ("auto", "dynamic", "unbacked"):
            case = _raising_case(fact, demand, context.dimensions)
        if fact.open and context.dimensions == "named":
            if raising:
                return  # the program refuses what eager refuses
            case = "shape_unequal_dims" if case == "shape_unequal" else "shape_order_dims"
        elif demand is not None and context.dimensions == "named":
            case = _DEMANDED.get(demand.kind, case)
        # A size of what is computed, of which nobody knows whether it is dynamic: what is checked of it holds as a rule, and is
        # about one that is configured.
        unknown = raising and value.evidence < Evidence.OBSERVED and context.dimensions in ("named", "auto", "dynamic")
        yield Violation(
            fact.site,
            context.sized(case, None if value.asked is None else value.asked[1] - value.asked[2]),
            text,
            evidence=Evidence.ASSUMED if unknown else value.evidence,
            fixable=True,
            demand=demand,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.branching.cond import branch_to_cond
        from exportdb_rules.rewrite.branching.needless import drop_guard
        from exportdb_rules.rewrite.interface.declarations import declaration_fixes
        from exportdb_rules.rewrite.interface.dims import named_to_dynamic

        if context.finding.demand is not None or context.finding.case.startswith(("shape_assert", "shape_raise")):
            return (*declaration_fixes(context), *named_to_dynamic(context))
        # With Dim.DYNAMIC in its place the side that was traced would stay the only one.
        return (*drop_guard(context), *branch_to_cond(context, sizes=True))
