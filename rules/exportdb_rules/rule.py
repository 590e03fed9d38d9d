"""What a rule is, and the register of them all.

A rule is one file of the catalogue. The file's docstring is the rule's page in the documentation; the class below it
says which facts the rule wants, and for each of them what to report. A report names the measured case that it rests
on: the verdict per torch version and mode is looked up there, and a report whose case exports fine is none.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar

from exportdb_rules import verdict_table
from exportdb_rules.facts import Called
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.no_fix import NoFix
from exportdb_rules.values import Evidence

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Finding, Fix
    from exportdb_rules.project import Project
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.terms import Demand, Term
    from exportdb_rules.values import Instance, Site


@dataclass(frozen=True, slots=True)
class Violation:
    """What a rule says of one fact.

    `case` names the measured program of the same situation. `evidence` is what shows the value in question to be what it
    is said to be. `origin` is the place behind it, where an unbacked value was made for instance, and `origin_note` says
    what happens there. `fixable` says that a fix may exist; whether it does is found out when somebody asks. `parameter`
    is the entry's parameter on which an ASSUMED report rests. `demand` is what must hold of the dimensions that are
    declared, where that is known.
    """

    site: Site
    case: str
    message: str
    evidence: Evidence = Evidence.OBSERVED
    origin: Site | None = None
    fixable: bool = False
    parameter: str | None = None
    demand: Demand | None = None
    origin_note: str = "the data-dependent value is created here"
    # Where it rests on another measurement than that of a case, which then has no name.
    verdict: Verdict | None = None
    # It is about what goes into the entry, or comes out: it holds where no other module calls the entry's.
    outermost: bool = False
    # It holds only where the line runs in every call, in eval mode too.
    always: bool = False
    # Strict export alone comes to ask: what the value was converted with stops non-strict export.
    strict_alone: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The entry that a fact was seen in, and what else was asked for."""

    entry: str
    dimensions: str
    torch_version: str
    project: Project
    # The module that is exported, where the entry is a method of one.
    root: Instance | None = None
    # The function that the fact is in is called on paths only that tracing may not take.
    optional: bool = False
    # What the entry is exported for, by name; the empty one is the exported program itself.
    goals: frozenset[str] = frozenset()
    # Those of them whose tools the code itself calls: such a tool chooses the modes by itself.
    called: frozenset[str] = frozenset()

    def sized(self, case: str, read: Term | None = None) -> str:
        """The variant of a case for how the entry's dimensions were declared: `shape_branch` -> `shape_branch_named`.

        Where that variant was not measured, the nearest one that was. `read` is what a guard says to be the example's number:
        where it leaves several sizes, `Dim.DYNAMIC` is not refused (cases `recurrent_over_half_dynamic`, `shape_loop_half_dynamic`,
        `shape_equal_half_dynamic`, `list_repeat_half_dynamic`).
        """
        if self.dimensions == "unbacked":
            # What was measured of sizes with an example says nothing of these. Where export refuses the form itself, which
            # EDB902 reports, nothing is said of them.
            taken = verdict_table.verdict("unbacked_sizes", self.torch_version, Mode.NON_STRICT) is Verdict.OK
            return f"{case}_unbacked" if taken else ""
        # A named Dim promises more than the others: what it fails by says nothing of them.
        order = {"named": ("_named", "", "_auto"), "dynamic": ("_dynamic", "", "_auto"), "auto": ("_auto", "")}
        guarded = self.dimensions == "dynamic" and read is not None and not read.leaves_one_size
        for suffix in order.get("auto" if guarded else self.dimensions, ("_auto", "", "_named")):
            verdict = verdict_table.verdict(case + suffix, self.torch_version, Mode.NON_STRICT)
            # Nobody said how an assumed dimension would be declared: what fails in one way is told.
            if verdict is not None and (self.dimensions != "assumed" or verdict is not Verdict.OK):
                return case + suffix
        return case


class Rule:
    """Base of all rules. Subclasses say what they want to see in `facts` and answer in `check`."""

    code: ClassVar[str]
    name: ClassVar[str]
    family: ClassVar[str]
    stable_since: ClassVar[str] = "0.1.0"
    summary: ClassVar[str]
    facts: ClassVar[tuple[type[Fact], ...]]
    cases: ClassVar[tuple[str, ...]]
    calls: ClassVar[Container[str] | None] = None
    """The names of the functions that it is about, where it wants `Called`; None: whatever is called."""
    goal: ClassVar[str] = ""
    """What a program must be exported for that the rule is about; empty: for anything."""
    no_fix: ClassVar[NoFix] = NoFix.UNKNOWN_FORM
    """Why a finding that no rewrite is known for has no fix."""
    no_fix_of: ClassVar[Mapping[str, NoFix]] = {}
    """The same for some of the cases, where it is something else."""

    def wants(self, name: str, goals: frozenset[str]) -> bool:
        """Whether it may report a call of a function of that name in an export for these goals, where it wants `Called`."""
        return self.calls is None or name in self.calls

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        """What the rule reports of a fact."""
        raise NotImplementedError

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        """The rewrites that are right for a finding of this rule; none by default."""
        return ()

    @property
    def documentation(self) -> str:
        """The rule's page, in Markdown: the docstring of its file."""
        return (sys.modules[type(self).__module__].__doc__ or "").strip() + "\n"


@cache
def registry() -> tuple[Rule, ...]:
    """All rules, by code."""
    return tuple(sorted(_instances(), key=lambda rule: rule.code))


@cache
def documented() -> tuple[Rule, ...]:
    """All that a finding can be of, by code: the rules, and the one about comments, which no fact of a trace leads to."""
    from exportdb_rules.unused_suppression import UnusedSuppression

    return (UnusedSuppression(), *registry())


def _instances() -> Iterator[Rule]:
    from exportdb_rules import catalog

    for module in pkgutil.walk_packages(catalog.__path__, f"{catalog.__name__}."):
        loaded = importlib.import_module(module.name)
        for value in vars(loaded).values():
            if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == loaded.__name__:
                yield value()


def find(code_or_name: str) -> Rule | None:
    """A rule by its code (`EDB101`) or name (`tensor-branch`)."""
    wanted = code_or_name.strip()
    for rule in documented():
        if wanted.upper() == rule.code or wanted.lower() == rule.name:
            return rule
    return None


def no_fix(finding: Finding) -> NoFix:
    """Why a finding that no rewrite is known for has no fix."""
    if finding.package:
        return NoFix.IN_PACKAGE
    rule = find(finding.code)
    return NoFix.UNKNOWN_FORM if rule is None else rule.no_fix_of.get(finding.case, rule.no_fix)


@cache
def by_fact() -> dict[type[Fact], tuple[Rule, ...]]:
    """The rules that want each kind of fact."""
    table: dict[type[Fact], tuple[Rule, ...]] = {}
    for rule in registry():
        for kind in rule.facts:
            table[kind] = (*table.get(kind, ()), rule)
    return table


@lru_cache(maxsize=4096)
def by_call(name: str, goals: frozenset[str]) -> tuple[Rule, ...]:
    """The rules that want calls of a function in an export for these goals."""
    return tuple([rule for rule in by_fact()[Called] if rule.wants(name, goals)])
