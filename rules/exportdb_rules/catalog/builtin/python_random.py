"""# python-random

## What it does
Finds calls of `random` and `numpy.random` in traced code whose result flows into a tensor or selects a branch (layer
drop, stochastic depth): numbers, arrays and what is computed or filled from them, the bounds of a random crop, elements
that `random.choice` takes, lists that `shuffle` reorders, draws of a generator object. Strict export stops at many of these calls
even where nothing uses the number: a draw for layer drop that only training looks at.

## Why export cannot do it
The number is drawn while tracing. Strict export rejects the call. Non-strict export specializes on the one value that
was drawn: the exported model is no longer random, or a layer is missing from it. Behind a seed in the same function the number
is the same in every call, and only strict export, which draws NumPy's numbers in the graph, is reported.

## Example
```python
def forward(self, x):
    if random.random() < self.p:
        return x
    return self.layer(x)
```

## Use instead
```python
def forward(self, x):
    keep = torch.rand(()) >= self.p
    return torch.where(keep, self.layer(x), x)
```

## Fix safety
No fix is offered.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB502` prints them.

## References
- torch.export programming model, "Side effects"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Called, NumberDrawn, TraceTimeUsed
from exportdb_rules.interpreter.random_numbers import SEEDED
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import ARRAY, Evidence, Sym, Tensor
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


def _case(fact: TraceTimeUsed) -> str:
    """The measured case of a drawn value that is used."""
    if fact.value.source == SEEDED:
        return "numpy_array_seeded" if fact.value.type == ARRAY else "numpy_random_seeded"
    if fact.form == "branch":
        return "random_branch"
    if fact.value.type == ARRAY:
        return "numpy_random_array"
    return "numpy_random_used" if fact.value.source.startswith("numpy") else "random_used"


class PythonRandom(Rule):
    """Python or NumPy random numbers are drawn while tracing."""

    code = "EDB502"
    name = "python-random"
    family = "builtin"
    summary = "Python or NumPy random numbers are drawn while tracing"
    no_fix = NoFix.OTHER_RANDOM_NUMBERS
    facts = (
        Called,
        NumberDrawn,
        TraceTimeUsed,
    )
    cases = (
        "random_used",
        "random_branch",
        "numpy_random_used",
        "numpy_random_array",
        "numpy_generator",
        "random_of_tensor",
        "numpy_random_seeded",
        "numpy_array_seeded",
        "random_drawn",
        "numpy_random_drawn",
        "generator_drawn",
    )

    def wants(self, name: str, goals: frozenset[str]) -> bool:
        """See `Rule.wants`."""
        return name.endswith((".default_rng", ".Random", ".RandomState"))

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, TraceTimeUsed):
            if fact.value.drawn:
                case = _case(fact)
                what = "selects a branch" if fact.form == "branch" else "flows into a tensor"
                message = (
                    f"`{fact.value.source}()` is drawn once while tracing and {what}: "
                    "the exported program repeats that one value"
                )
                if fact.value.source == SEEDED:
                    message = f"NumPy draws a number behind a seed, which {what}: strict export draws it in the graph"
                yield Violation(
                    fact.value.site or fact.site,
                    case,
                    message,
                    evidence=fact.value.evidence,
                    origin=fact.site,
                    origin_note=f"it {what} here",
                )
            return
        if isinstance(fact, NumberDrawn):
            case = "random_drawn" if fact.name.startswith("random.") else "numpy_random_drawn"
            yield Violation(
                fact.site,
                "generator_drawn" if fact.kept else case,
                f"`{fact.name}()` draws while tracing, which strict export does not trace even where nothing uses the number",
                evidence=Evidence.DERIVED,  # of one line, what becomes of the number is told instead
            )
            return
        assert isinstance(fact, Called)
        if fact.name in ("numpy.random.default_rng", "numpy.random.RandomState"):
            yield Violation(
                fact.site,
                "numpy_generator",
                f"{quote(fact.site)} creates a NumPy generator, which strict export does not trace",
            )
            return
        if fact.name.endswith((".Random", ".RandomState")) and any(
            type(a) is Tensor or (type(a) is Sym and not a.backed) for a in fact.arguments
        ):
            yield Violation(
                fact.site,
                "random_of_tensor",
                f"{quote(fact.site)} is seeded with a tensor value, which is unknown while tracing",
                evidence=Evidence.DERIVED,
            )
