"""What the fixes make of the cases: the text after all rounds, and whether that really exports."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.finding import Mode

from exportdb_lsp.checking.fix_loop import rewrite
from exportdb_lsp.checking.results import Applied
from exportdb_lsp.measure.run import MeasureRequest, Progress, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_cases.collection import Case
    from exportdb_cases.support_file import SupportFile
    from exportdb_rules.finding import Finding


@dataclass(frozen=True, slots=True)
class Fixed:
    """A case after its fixes. `applied` are those fixes, in order; `left` is what is still found in the text."""

    text: str
    applied: tuple[Applied, ...]
    left: tuple[Finding, ...]


def fix(case: Case, torch_version: str, project: Project, *, unsafe: bool = True) -> Fixed | None:
    """What `check --fix --unsafe-fixes` makes of a case for this torch; None where it changes nothing.

    Args:
        project: where the case is looked up; who fixes many cases passes the same for all.
    """
    settings = Settings(torch_version, tuple(Mode), case.assume_dynamic)
    filename = str(case.path)
    report = check(project, filename, settings)
    try:
        if not any(finding.fixable for finding in report.findings):
            return None
        source = case.source
        done = rewrite(project, report, source, settings, unsafe=unsafe)
    finally:
        project.drop_text(filename)
        project.end(filename)
    return None if done.text == source else Fixed(done.text, done.applied, done.findings)


def measure_fixed(
    cases: Iterable[Case],
    torch_version: str,
    request: MeasureRequest,
    *,
    on_progress: Callable[[Progress], None] | None = None,
) -> SupportFile:
    """Fix the cases for a torch, and export what comes out with the interpreter of `request`, which has that torch.

    The file has the cases that a fix changes. A record's `eager` says where the fixed program computes something else
    than the case does, before anything is exported.

    Raises:
        MeasureError: as `measure` does.
    """
    with tempfile.TemporaryDirectory(prefix="exportdb-fixed-") as folder:
        written: list[Case] = []
        originals: dict[str, Path] = {}
        project = Project()
        for case in cases:
            fixed = fix(case, torch_version, project)
            if fixed is None:
                continue
            # The folder's name is the family: what a name that is not there means depends on it.
            path = Path(folder, case.family, case.path.name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(fixed.text, encoding="utf-8")
            written.append(replace(case, path=path))
            originals[case.name] = case.path
        request = replace(request, cases=tuple(written), originals=originals, official=False)
        return measure(request, on_progress=on_progress)
