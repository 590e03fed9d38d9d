"""How many broken models export faithfully after `check --fix --unsafe-fixes`, with no human hand.

The models are the cases and the examples that fail or diverge. Each is fixed as the command line does it with
`--verify`: the old code, the new code and its export are asked the same questions, on inputs that take every branch and
at other sizes where sizes are dynamic; a model counts as repaired if they agree. Where the export fails by its Dims, they
are declared as torch suggests; where a Dim that took several sizes becomes a constant by it, the model does not count as
repaired, and where its range becomes narrower, that is counted apart. Prints a line for each model that is not repaired,
and why: that it has no rewrite which keeps what it computes (REASONS), or what is left to do.

    python bench/repair.py [--mode strict] [--only SUBSTRING] [--part 1/3]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exportdb_cases.collection import all_cases
from exportdb_lsp.checking.checker import check_group
from exportdb_lsp.checking.plan import ProjectFiles
from exportdb_lsp.checking.results import Change, CheckRequest
from exportdb_lsp.confirm.confirmer import Confirmer, RequestError
from exportdb_lsp.confirm.redeclaring import redeclared
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.confirm.verification import VerifyRequest
from exportdb_lsp.interpreter import package_folders
from exportdb_rules import verdict_table
from exportdb_rules.engine import DEFAULT_TORCH, Settings
from exportdb_rules.finding import Mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.confirm.verification import VerifyResult

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
SECONDS = 60.0
BROKEN = ("fails", "diverges")
# Why code that a rule finds has no rewrite that keeps what it computes: by the rule, or by the case that it is found as.
REASONS = {
    "EDB202": "an address, a printed form or the time of day is no value of a graph",
    "data_ptr": "a graph has no memory addresses",
    "EDB502": "Python's generator draws numbers that torch's does not",
    "EDB603": "the branches give different things: which is meant is not in the code",
    "while_loop_shape_changes": "what a loop carries must keep its shape",
    "list_append": "a list that grows with each call has no place in a graph",
    "manual_seed": "a graph does not set the seed of torch's generator",
    "format_item_unused": "a printed form is no value of a graph",
    "unbacked_sizes": "this torch does not take unbacked sizes: with other Dims it is another export",
}
FOREIGN = "what fails is the code of an installed package"


@dataclass(frozen=True)
class Model:
    """A file with a model, and the folder of the project that it is of."""

    label: str
    path: Path
    project: Path


@dataclass(frozen=True)
class Verdict:
    """What became of a model. `how` says what is left to do where it was not repaired."""

    repaired: bool
    how: str
    fixes: tuple[str, ...] = ()
    hopeless: bool = False
    """No rewrite keeps what the model computes."""
    narrowed: bool = False
    """It is repaired for fewer sizes than its Dims named before: torch's own suggestion says which."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.NON_STRICT.value)
    parser.add_argument("--only", default="", help="models whose label holds this")
    parser.add_argument("--part", default="1/1", help="a share of the models: 2/3 is the second third")
    parser.add_argument("--verbose", action="store_true", help="the repaired ones too")
    options = parser.parse_args()
    mode = Mode(options.mode)
    number, parts = map(int, options.part.split("/"))
    confirmer = Confirmer()
    models = [m for m in [*cases(mode), *examples(confirmer, mode)] if options.only in m.label]
    models = models[number - 1 :: parts]
    verdicts: list[Verdict] = []
    for model in models:
        verdict = judged(confirmer, model, mode)
        verdicts.append(verdict)
        if not verdict.repaired or options.verbose:
            print(f"{model.label}: {verdict.how}{'; applied: ' + ', '.join(verdict.fixes) if verdict.fixes else ''}", flush=True)  # fmt: skip
    confirmer.close()
    repaired = sum(verdict.repaired for verdict in verdicts)
    kinds = Counter(
        "hopeless" if v.hopeless else "no fix" if not v.fixes else "not faithful" for v in verdicts if not v.repaired
    )
    print(
        f"{repaired} of {len(models)} broken models repaired ({100 * repaired / max(1, len(models)):.0f} %), "
        f"{100 * repaired / max(1, len(models) - kinds['hopeless']):.0f} % of those that a rewrite can repair; "
        f"{kinds['hopeless']} have none that keeps what they compute, {kinds['no fix']} are without a fix, "
        f"{kinds['not faithful']} still do not export faithfully; "
        f"{sum(v.narrowed for v in verdicts)} of the repaired are so for fewer sizes than their Dims named"
    )
    return 0


def cases(mode: Mode) -> list[Model]:
    """The cases that were measured to fail or to diverge on the torch that findings are for by default."""
    measured = verdict_table.records(DEFAULT_TORCH)
    return [
        Model(f"{case.family}/{case.name}", case.path, case.path.parent)
        for case in sorted(all_cases(), key=lambda case: case.path)
        if (record := measured.get(case.name, {}).get(mode.value)) is not None and record.verdict in BROKEN
    ]


def examples(confirmer: Confirmer, mode: Mode) -> list[Model]:
    """The models of the examples whose export fails or diverges now."""
    found: list[Model] = []
    for folder in sorted(path for path in EXAMPLES.iterdir() if path.is_dir()):
        for path in sorted(folder.rglob("*.py")):
            request = ExportRequest(str(path), modes=(mode,), root=folder, timeout=SECONDS, draft=False)
            try:
                results = confirmer.run(request)
            except RequestError:
                continue
            if any(result.outcome in (Outcome.FAILS, Outcome.DIVERGES) for result in results):
                found.append(Model(str(path.relative_to(EXAMPLES)), path, folder))
    return found


def judged(confirmer: Confirmer, model: Model, mode: Mode) -> Verdict:
    """Fix a model, and prove what came out."""
    changes, found = fixed(model, mode)
    left = ", ".join(sorted(found))
    titles = tuple(applied.title for change in changes for applied in change.applied)
    texts = {str(change.file.path): change.text for change in changes}
    before = {str(change.file.path): change.file.text for change in changes}
    request = asked(model, mode, texts, before)
    try:
        results = confirmer.verify(request)
        wrong = next((result for result in results if not result.proven), None)
        if wrong is None and texts:
            return good(results, titles)
        failed = [result.export for result in results if result.export is not None]
        anew = redeclared(confirmer, request, failed)
    except RequestError as error:
        return Verdict(False, str(error), titles)
    if anew is not None:
        return good(anew.results, (*titles, *anew.titles))
    if texts and wrong is not None:
        return Verdict(False, short(wrong.message) + (f" (left: {left})" if left else ""), titles)
    kinds = {kind for place, case in found.items() for kind in (place[:6], case)}
    foreign = FOREIGN if not found and foreign_code(confirmer, model, mode) else ""
    reason = next((REASONS[kind] for kind in sorted(kinds) if kind in REASONS), foreign)
    said = left or f"no finding; {short(wrong.message) if wrong else 'its proof finds nothing wrong'}"
    return Verdict(False, f"{reason or 'no fix'} ({said})", hopeless=bool(reason))


def good(results: Sequence[VerifyResult], titles: tuple[str, ...]) -> Verdict:
    """A model that is repaired, by its proof."""
    return Verdict(True, results[0].message, titles, narrowed=any(result.narrowed for result in results))


def short(message: str) -> str:
    """A message in one line that is not too long."""
    return " ".join(message.split())[:200]


def asked(model: Model, mode: Mode, texts: dict[str, str], before: dict[str, str]) -> VerifyRequest:
    """The proof that is wanted of the new texts of a project."""
    name = str(model.path)
    text = before.get(name) or model.path.read_text()
    return VerifyRequest(
        name,
        text,
        texts.get(name, text),
        modes=(mode,),
        root=model.project,
        timeout=SECONDS,
        documents={key: value for key, value in texts.items() if key != name},
        documents_before={key: value for key, value in before.items() if key != name},
    )


def foreign_code(confirmer: Confirmer, model: Model, mode: Mode) -> bool:
    """Whether the export of a model stops in the code of an installed package."""
    request = ExportRequest(str(model.path), modes=(mode,), root=model.project, timeout=SECONDS, draft=False)
    return any(result.frames and not result.frames[-1].project for result in confirmer.run(request))


def fixed(model: Model, mode: Mode) -> tuple[list[Change], dict[str, str]]:
    """The files that the fixes change, and the findings that are left, each with its case."""
    alone = model.path.parent == model.project
    files = (model.path,) if alone else tuple(sorted(model.project.rglob("*.py")))
    root = Path(tempfile.gettempdir()) if alone else model.project
    group = ProjectFiles(
        root, Settings(modes=(mode,), packages=package_folders(sys.executable)), tuple(map(str, files))
    )
    checked = check_group(group, CheckRequest(apply=True, unsafe=True))
    findings = [found.finding for item in checked for found in item.found]
    left = {f"{found.code} at line {found.span.start.row}": found.case for found in findings}
    return [item.change for item in checked if item.change is not None], left


if __name__ == "__main__":
    sys.exit(main())
