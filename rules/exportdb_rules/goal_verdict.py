"""The verdict of a finding where it is known what the export is for.

A tool that takes a program further may do better than `torch.export`, or worse. `torch.onnx.export` calls `torch.export` with
other settings and tries its other mode, too; where a declared dimension is refused it declares the one that torch suggests,
and says nothing; and what it makes has no guards. What comes of that was measured on the cases, as everything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.values import Sym

if TYPE_CHECKING:
    from collections.abc import Mapping

    from exportdb_rules.facts import Fact
    from exportdb_rules.terms import Demand

EXPORTED_PROGRAM: Final = ""
"""The goal of who wants the exported program itself."""
_ORDER: Final = (Verdict.OK, Verdict.SPECIALIZES, Verdict.DIVERGES, Verdict.FAILS)


class GoalVerdict(NamedTuple):
    """What happens to a case on its way to the goals of an export."""

    verdict: Verdict
    goal: str
    """The goal whose tool alone has this verdict; empty where torch.export has it, too."""
    frozen: bool = False
    """A dimension that was declared dynamic is a number in what is made."""
    plain: Verdict = Verdict.OK
    """What torch.export does."""


def judged(
    case: str, goals: frozenset[str], torch_version: str, mode: Mode, called: frozenset[str] = frozenset()
) -> GoalVerdict:
    """The worst that happens to a case on the way to one of these goals.

    Args:
        mode: how torch.export traces for the goals that are not among `called`: the tools that the code calls itself are
            given the model, and choose modes themselves.
    """
    found = [
        _on_the_way(case, goal, torch_version, Mode.NON_STRICT if goal and goal in called else mode)
        for goal in sorted(goals or {EXPORTED_PROGRAM})
    ]
    return max(found, key=lambda one: _ORDER.index(one.verdict))


def _on_the_way(case: str, goal: str, torch_version: str, mode: Mode) -> GoalVerdict:
    plain = verdict_table.verdict(case, torch_version, mode) or Verdict.OK
    record = verdict_table.goal_record(case, goal, torch_version, mode) if goal else None
    if record is None or record.verdict is plain:
        return GoalVerdict(plain, EXPORTED_PROGRAM, plain=plain)
    return GoalVerdict(record.verdict, goal, record.frozen, plain)


def remark(found: GoalVerdict, sizes: tuple[str, ...], examples: Mapping[str, int]) -> str:
    """What a goal's tool does where torch.export does something else, as the end of a sentence; empty if there is nothing
    to say.

    Args:
        sizes: the dimensions that it is about, as far as they are known.
        examples: what they are in the example, as far as that is known.
    """
    if found.goal != "onnx":
        return ""
    if found.plain is Verdict.FAILS and found.verdict in (Verdict.SPECIALIZES, Verdict.DIVERGES):
        names = " and ".join([f"`{name}`" for name in sizes]) or "the dimension"
        only = examples.get(sizes[0]) if len(sizes) == 1 else None
        done = f"narrows {names}"
        if found.frozen:
            done = f"specializes {names}" + ("" if only is None else f" to {only}")
        after = ", and its model computes the traced path for every size" if found.verdict is Verdict.DIVERGES else ""
        return f"; `torch.onnx.export` {done} without an error{after}"
    if found.plain is Verdict.SPECIALIZES and found.verdict is Verdict.DIVERGES:
        return "; the ONNX model has no guard that rejects other sizes: it computes other values"
    return ""


def sizes_of(fact: Fact, demand: Demand | None) -> tuple[str, ...]:
    """The dynamic dimensions that a fact is about, by name."""
    if demand is not None and demand.dimensions:
        return tuple(sorted(demand.dimensions))
    value: object = getattr(fact, "value", None)
    if not isinstance(value, Sym):
        return ()
    if value.asked is not None:
        _, left, right = value.asked
        return tuple(sorted(left.dimensions | right.dimensions))
    return () if value.term is None else tuple(sorted(value.term.dimensions))
