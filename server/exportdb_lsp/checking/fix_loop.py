"""Fixes applied to one file, round after round, until none is left that may be applied.

A fix speaks of the text that it was computed for, so in one round only fixes that touch different functions are taken;
the others wait for the next round, where they are computed anew for the text that then stands. A round that does not
help, or breaks the text, is undone, and the fix that did it is not tried again.
"""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from exportdb_rules import engine
from exportdb_rules.aftermath import content_key
from exportdb_rules.finding import Applicability, Edit, Finding, Fix, Mode, Span, Verdict
from exportdb_rules.importers import callers
from exportdb_rules.rewrite.edits import EditError, apply, compatible, lines_of, merged
from exportdb_rules.source import inner_statements, parses

from exportdb_lsp.checking.results import Applied, FindingKey
from exportdb_lsp.files.rewriting import dominant_newline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from exportdb_rules.aftermath import ContentKey

    Find = Callable[[str], tuple[Finding, ...]]
    FixesFor = Callable[[Finding], tuple[Fix, ...]]

# A chain of ifs that each hold the next needs a round for each; nobody nests deeper than this.
MAX_ROUNDS: Final = 50
# Each round asks for the fixes anew. What all rounds may take, in what the fixes of one text may take.
MAX_BUDGETS: Final = 10
# Each time at least one fix is left out.
MAX_RETRIES: Final = 10


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A text with its fixes applied, and what is still found in it."""

    text: str
    applied: tuple[Applied, ...]
    findings: tuple[Finding, ...]
    gave_up: str = ""
    """Why the rounds ended early, if they did."""


def preferred(fixes: Iterable[Fix]) -> Fix | None:
    """The fix that is applied where nobody chooses; the others are there for people to choose."""
    return next((fix for fix in fixes if fix.preferred), None)


def rewrite(
    project: engine.Project,
    report: engine.Report,
    text: str,
    settings: engine.Settings,
    *,
    unsafe: bool,
    together: Sequence[str] = (),
    refused: frozenset[FindingKey] = frozenset(),
) -> Rewriting:
    """Apply the preferred fixes of everything that is found in a file. The project holds the new text afterwards.

    Args:
        report: what a check of the project said of the file.
        text: what the file holds.
        unsafe: apply also the fixes that may change what eager computes.
        together: all files of that check; where entries of other files reach lines of this one, they are run again.
        refused: findings whose fixes are left out.
    """
    filename = report.filename
    newline = dominant_newline(text)
    plain = text.replace(newline, "\n")
    # Where all lines end alike the rewrites need not know how; a file of mixed line ends is rewritten as it is.
    uniform = newline != "\n" and plain.replace("\n", newline) == text
    alone = engine.check(project, filename, settings)
    narrow = _places(alone) == _places(report)

    budget = engine.Budget(text, times=MAX_BUDGETS)
    reaching: tuple[str, ...] = ()

    def find(current: str) -> tuple[Finding, ...]:
        nonlocal reaching
        project.set_text(filename, current)
        if narrow:
            found = engine.check(project, filename, settings)
        else:
            reports = engine.check_files(project, together, settings)
            found = next(report for report in reports if report.filename == filename)
        reaching = callers(project, found)
        budget.begin(sum(finding.fixable for finding in found.findings))
        return found.findings

    def mend(finding: Finding) -> tuple[Fix, ...]:
        return engine.offer(project, finding, settings, budget=budget, alone=False, reaching=reaching).fixes

    rewriting = rewrite_text(plain if uniform else text, find, mend, unsafe=unsafe, refused=refused)
    return replace(rewriting, text=rewriting.text.replace("\n", newline)) if uniform else rewriting


def rewrite_text(
    text: str, find: Find, mend: FixesFor, *, unsafe: bool, refused: frozenset[FindingKey] = frozenset()
) -> Rewriting:
    """Apply fixes until none is left. `find` looks at a text, `mend` gives the fixes of what it found last.

    A fix after which export fails where it did not before (a number that was a constant of the graph is a tensor now, and
    Python branches on it) is taken back unless the fixes behind it mend that too.
    """
    rejected = set(refused)
    for _ in range(MAX_RETRIES):
        rewriting, worse = _rewrite_rounds(text, find, mend, rejected, unsafe=unsafe)
        if not worse:
            return rewriting
        rejected |= worse
    findings = find(text)
    return Rewriting(text, (), findings, "the fixes add more findings than they remove")


def _rewrite_rounds(
    text: str, find: Find, mend: FixesFor, refused: set[FindingKey], *, unsafe: bool
) -> tuple[Rewriting, set[FindingKey]]:
    """All rounds from one text on; and the findings whose fixes made export fail where it did not, to the end."""
    findings = find(text)
    applied: list[Applied] = []
    rejected = set(refused)
    brought: list[tuple[FindingKey, set[ContentKey]]] = []
    for _ in range(MAX_ROUNDS):
        batch = _choose(text, findings, mend, rejected, unsafe)
        if not batch:
            left = {content_key(text, finding) for finding in findings}
            worse = {place for place, keys in brought if keys & left}
            return Rewriting(text, tuple(applied), findings), worse
        outcome = _try(text, findings, batch, find)
        if outcome is None and len(batch) > 1:
            batch = batch[:1]
            outcome = _try(text, findings, batch, find)
        if outcome is None:
            rejected.add(_place(text, batch[0][0]))
            # `mend` looks at what was found last, which was the text that is now undone.
            findings = find(text)
            continue
        taken = [_applied(text, finding, fix) for finding, fix in batch]
        brought += _brought(text, findings, batch, outcome)
        text, findings = outcome
        applied += taken
    return Rewriting(text, tuple(applied), findings, f"fixes did not converge after {MAX_ROUNDS} iterations"), set()


def _brought(
    text: str,
    findings: tuple[Finding, ...],
    batch: list[tuple[Finding, Fix]],
    outcome: tuple[str, tuple[Finding, ...]],
) -> list[tuple[FindingKey, set[ContentKey]]]:
    """The fixes of a round for what only diverges, with the failures that the round brought into their entries."""
    changed, after = outcome
    before = {content_key(text, finding) for finding in findings}
    fresh = [finding for finding in after if _fails(finding) and content_key(changed, finding) not in before]
    found: list[tuple[FindingKey, set[ContentKey]]] = []
    for finding, _ in batch:
        keys = {
            content_key(changed, one)
            for one in fresh
            if one.entry.partition(".")[0] == finding.entry.partition(".")[0] and _fails(one) - _fails(finding)
        }
        if keys:
            found.append((_place(text, finding), keys))
    return found


def _fails(finding: Finding) -> frozenset[Mode]:
    """The modes in which export fails on a line."""
    return frozenset(mode for mode, verdict in finding.verdict.items() if verdict is Verdict.FAILS)


def _choose(
    text: str, findings: tuple[Finding, ...], mend: FixesFor, rejected: set[FindingKey], unsafe: bool
) -> list[tuple[Finding, Fix]]:
    """The fixes of one round: at most one in each function, and in each statement outside of functions; none that touches
    another's text. What a second one would make of the first one's code, the next round sees."""
    functions = _units(text)
    newline = dominant_newline(text)
    taken: set[int] = set()
    candidates: list[tuple[Finding, Fix]] = []
    for finding in sorted(findings, key=lambda f: (f.span, f.code)):
        if not finding.fixable or _place(text, finding) in rejected:
            continue
        function = _enclosing(functions, finding.span)
        if function in taken:
            continue
        fix = preferred(mend(finding))
        if fix is None or not fix.edits or (fix.applicability is Applicability.UNSAFE and not unsafe):
            continue
        touched = {_enclosing(functions, edit.span) for edit in fix.edits} - {-1}
        if touched & taken:
            continue
        taken |= touched | {function} if function >= 0 else touched
        candidates.append((finding, _in_newlines(fix, newline)))
    return [candidates[index] for index in compatible([fix.edits for _, fix in candidates])]


def _try(
    text: str, findings: tuple[Finding, ...], batch: list[tuple[Finding, Fix]], find: Find
) -> tuple[str, tuple[Finding, ...]] | None:
    """The text after a round and what is found in it; None if the round broke the text or did not help."""
    try:
        changed = apply(text, merged([fix.edits for _, fix in batch]))
    except EditError:
        return None
    if changed == text or (parses(text) and not parses(changed)):
        return None
    after = find(changed)
    # Of one operator that demands something of several dimensions, each is found once that before it is mended.
    before_count = Counter((content_key(text, finding), finding.demand) for finding in findings)
    after_count = Counter((content_key(changed, finding), finding.demand) for finding in after)
    attempted = Counter((content_key(text, finding), finding.demand) for finding, _ in batch)
    if any(after_count[key] > before_count[key] - number for key, number in attempted.items()):
        return None
    return changed, after


def _places(report: engine.Report) -> set[tuple[str, Span]]:
    return {(finding.code, finding.span) for finding in report.findings}


def _applied(text: str, finding: Finding, fix: Fix) -> Applied:
    return Applied(finding.code, fix.title, finding.entry, finding.span.start.row, _place(text, finding))


def _place(text: str, finding: Finding) -> FindingKey:
    """A finding and its line: the same words elsewhere may be mended."""
    try:
        line = lines_of(text).line(finding.span.start.row)
    except EditError:
        line = ""
    return content_key(text, finding), line


def _in_newlines(fix: Fix, newline: str) -> Fix:
    if newline == "\n":
        return fix
    edits = tuple(
        Edit(edit.span, edit.content.replace("\r\n", "\n").replace("\r", "\n").replace("\n", newline))
        for edit in fix.edits
    )
    return Fix(fix.title, fix.applicability, edits, fix.preferred)


def _units(text: str) -> list[tuple[int, int]]:
    """First and last row of every function that stands in no other function, its decorators included; and of what stands
    outside of functions: statements, and the heads of those that hold others."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pending: list[ast.stmt] = list(ast.parse(text).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    rows: list[tuple[int, int]] = []
    while pending:
        node = pending.pop()
        decorators = getattr(node, "decorator_list", ())
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        inner = [part for part in ast.walk(node) if part is not node and isinstance(part, ast.stmt)]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or not inner:
            rows.append((first, node.end_lineno or node.lineno))
        else:
            rows.append((first, max(node.lineno, min(part.lineno for part in inner) - 1)))
            pending += inner_statements(node)
    return sorted(rows)


def _enclosing(functions: list[tuple[int, int]], span: Span) -> int:
    """The index of the unit around a span, or -1."""
    return next((i for i, (first, last) in enumerate(functions) if first <= span.start.row <= last), -1)
