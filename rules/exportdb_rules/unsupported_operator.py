"""What the rules have in common that find operators which the tool of a goal does not support."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from exportdb_rules import goal_table
from exportdb_rules.facts import Called
from exportdb_rules.finding import Verdict
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact


class UnsupportedOperator(Rule):
    """Base of the rules about one goal each. What it claims is measured by operator, not on cases."""

    family = "goals"
    facts = (Called,)
    cases = ()
    lowers: ClassVar[tuple[str, str]]
    """What takes the exported program further, and the package whose version it has."""
    runs: ClassVar[tuple[str, str]]
    """The same of what loads and runs what was made."""
    remedy: ClassVar[str]

    def wants(self, name: str, goals: frozenset[str]) -> bool:
        """See `Rule.wants`."""
        return self.goal in goals

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        """The calls of operators that the tool refused in every form."""
        assert isinstance(fact, Called)
        refused = goal_table.refused(self.goal, fact.name)
        if refused is None:
            return
        tool, package = self.lowers if refused.stage == "lower" else self.runs
        version = ".".join(goal_table.versions(self.goal)[package].split(".")[:2])
        verb = "lower" if refused.stage == "lower" else "run"
        text = f"{tool} {version} cannot {verb} `{fact.name}` (`{refused.operator}`): {self.remedy}"
        receiver = fact.arguments[0] if fact.name.startswith("Tensor.") and fact.arguments else None
        known = type(receiver) is Tensor
        yield Violation(
            fact.site,
            "",
            text,
            evidence=max(Evidence.DERIVED, receiver.evidence) if known else Evidence.OBSERVED,
            parameter=receiver.param if known else None,
            verdict=Verdict.FAILS,
        )
