"""What is found once a fix is applied: one after which export fails, where it did not before, is none.

A number that was a constant of the graph may be a tensor then, and Python branches on it further down.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from exportdb_rules.finding import Verdict
from exportdb_rules.rewrite.edits import EditError, apply, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from exportdb_rules.finding import Finding, Fix
    from exportdb_rules.project import Project
    from exportdb_rules.report import Report, Settings

    Check = Callable[[Project, str, Settings], Report]

ContentKey = tuple[str, str, str]


def brings_failures(check: Check, project: Project, finding: Finding, fix: Fix, settings: Settings) -> bool:
    """Whether export fails after a fix in one of the modes that are asked for, in an entry of the finding's class, by
    something that was not found before.

    Where the finding is a failure itself this is not asked: what failed may fail further down.

    Args:
        check: `engine.check`.
        settings: what is asked; the rules that are left out count as well.
    """
    modes = [mode for mode in settings.modes if finding.verdict.get(mode) is not Verdict.FAILS]
    text = project.source(finding.filename)
    if not modes or text is None:
        return False
    every = replace(settings, select=(), ignore=())
    later = _found_after(check, project, finding.filename, text, fix, every)
    if later is None:
        return True
    before = {content_key(text, found) for found in check(project, finding.filename, every).findings}
    owner = finding.entry.partition(".")[0]
    return any(
        found.entry.partition(".")[0] == owner
        and any(found.verdict.get(mode) is Verdict.FAILS for mode in modes)
        and key not in before
        for key, found in later
    )


def leaves_finding(check: Check, project: Project, finding: Finding, fix: Fix, settings: Settings) -> bool:
    """Whether a finding is still there after a fix of what is declared of the inputs. One of a failure is not where export
    goes through: `Dim.AUTO` specializes what a named Dim may not.

    Args:
        check: `engine.check`.
    """
    text = project.source(finding.filename)
    later = None if text is None else _found_after(check, project, finding.filename, text, fix, settings)
    if text is None or later is None:
        return True
    wanted = (content_key(text, finding), finding.demand)
    failed = Verdict.FAILS in finding.verdict.values()
    return any(
        (key, found.demand) == wanted and (not failed or Verdict.FAILS in found.verdict.values())
        for key, found in later
    )


def _found_after(
    check: Check, project: Project, filename: str, text: str, fix: Fix, settings: Settings
) -> list[tuple[ContentKey, Finding]] | None:
    """What is found once a fix is applied to the text of a file; None where it cannot be applied."""
    try:
        after = apply(text, fix.edits)
    except EditError:
        return None
    changed = project.with_text(filename, after)
    found = [(content_key(after, one), one) for one in check(changed, filename, settings).findings]
    changed.end(filename)
    return found


def content_key(text: str, finding: Finding) -> ContentKey:
    """What a finding is, apart from its place: two with the same key are the same trouble in the same words."""
    try:
        words = lines_of(text).slice(finding.span)
    except EditError:
        words = ""
    return finding.code, finding.entry, words
