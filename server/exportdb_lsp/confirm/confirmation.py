"""Findings and the results of real exports, joined, so that one problem is reported once.

An export that fails at the line of a finding confirms it; one that traces the line and succeeds refutes it, for the
inputs that it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from exportdb_rules.finding import Finding, Severity, Verdict

from exportdb_lsp.confirm.result import ExportResult, Frame, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from exportdb_rules.finding import Mode

Digest = Callable[[str], str | None]
"""The digest of a file's text as it is now: of the open document, else of the disk; None if there is none."""

# Of torch's own text, in characters: the whole of it is in the result.
LONGEST_WORDS: Final = 300
_VERDICTS: Final = {
    Outcome.FAILS: Verdict.FAILS,
    Outcome.DIVERGES: Verdict.DIVERGES,
    Outcome.SPECIALIZES: Verdict.SPECIALIZES,
}


@dataclass(frozen=True)
class ExportVerdict:
    """One result, and the digests of the texts that it speaks of."""

    result: ExportResult
    texts: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, result: ExportResult, digest: Digest) -> ExportVerdict:
        """The verdict with the digests of its texts; `digest` must be that of the moment when the export was asked for."""
        return cls(result, tuple((name, digest(name)) for name in sorted({result.filename, *_files(result)})))

    def current(self, digest: Digest) -> bool:
        """Whether all those texts still are as they were; taking an edit back makes a verdict true again."""
        return all(digest(filename) == known for filename, known in self.texts)


@dataclass(frozen=True)
class Remark:
    """What one export said of one line: where it failed, or what `draft_export` and `check` know of the lines behind."""

    result: ExportResult
    message: str
    frame: Frame | None = None
    words: str = ""
    """torch's own, in one line."""
    code: str = ""
    """Of the rule that speaks of the line; empty where none does."""
    reached: bool = True
    later: bool = False
    """Found behind the line where the export failed."""


def remarks(result: ExportResult) -> Iterator[Remark]:
    """What an export said of lines, the line where it failed first; nothing of one that succeeded."""
    if result.outcome is Outcome.OK:
        return
    frame = result.frame
    code = result.rule.code if result.rule is not None else ""
    yield Remark(result, result.message, frame, _words(result.exception, result.detail), code)
    for failure in result.failures:
        place = failure.frame
        if place is not None and place != frame:
            words = _words(failure.exception, failure.message) if failure.reached else ""
            yield Remark(result, failure.message, place, words, failure.code, failure.reached, later=True)


@dataclass(frozen=True)
class Confirmation:
    """What exports said of one finding. `confirmed`: each of them failed there; else each of them got past it."""

    confirmed: bool
    remarks: tuple[Remark, ...]

    @property
    def note(self) -> str:
        """For people, to stand behind the message of the finding."""
        results = [remark.result for remark in self.remarks]
        names = _listed(result.target for result in results)
        modes, versions = _listed(result.mode.value for result in results), _listed(map(_version, results))
        said = f"confirmed by an export of {names}" if self.confirmed else f"{names} exports with these inputs"
        return f"{said}: {modes}, torch {versions}"

    @property
    def words(self) -> tuple[str, ...]:
        """What each export said, in our words and in torch's; of one that succeeded, the inputs that it was given."""
        found: dict[str, None] = {}
        for remark in self.remarks:
            result = remark.result
            name = f"{result.target} ({result.mode.value})"
            found[f"{name}: {remark.message}"] = None
            if remark.words:
                found[f"torch: {remark.words}"] = None
            if not self.confirmed and result.inputs is not None:
                found[f"{name}: inputs {result.inputs.as_fields()}"] = None
        return tuple(found)

    def severity(self, finding: Finding, modes: Iterable[Mode]) -> Severity:
        """How severe the finding is now; `modes` are those that findings are reported for."""
        if self.confirmed:
            return Severity.ERROR
        verdicts = {**finding.verdict, **{remark.result.mode: Verdict.OK for remark in self.remarks}}
        if all(verdicts.get(mode, Verdict.OK) is Verdict.OK for mode in modes):
            return Severity.INFORMATION
        return replace(finding, verdict=verdicts).severity

    def to_json(self) -> dict[str, Any]:
        """The object `export` of a finding."""
        return {
            "status": "confirmed" if self.confirmed else "refuted",
            "results": [
                {
                    "target": remark.result.target,
                    "filename": remark.result.filename,
                    "mode": remark.result.mode.value,
                    "torch": remark.result.torch,
                    "outcome": remark.result.outcome.value,
                    "message": remark.message,
                    "torch_message": remark.words or None,
                    "graph_break_id": remark.result.graph_break_id,
                    "inputs": remark.result.inputs.to_json() if remark.result.inputs else None,
                }
                for remark in self.remarks
            ],
        }


@dataclass
class Joined:
    """What `join` makes: what was said of each finding, in their order, and the remarks that no finding tells."""

    confirmations: list[Confirmation | None]
    untold: list[Remark] = field(default_factory=list[Remark])


def join(findings: Sequence[Finding], verdicts: Iterable[ExportVerdict], torch_version: str) -> Joined:
    """Join the findings of a file with what exports said.

    Args:
        findings: what `check` reports.
        verdicts: the results whose texts still stand.
        torch_version: the version that the findings are for: an export with another one refutes none of them.
    """
    verdicts = list(verdicts)
    confirmed: dict[int, list[Remark]] = {}
    untold: list[Remark] = []
    for verdict in verdicts:
        for remark in remarks(verdict.result):
            index = _foretold(findings, remark)
            if index is None:
                untold.append(remark)
            elif remark.reached:
                confirmed.setdefault(index, []).append(remark)
    found: list[Confirmation | None] = []
    for index, finding in enumerate(findings):
        if index in confirmed:
            found.append(Confirmation(True, tuple(confirmed[index])))
            continue
        passed = [verdict.result for verdict in verdicts if _refutes(verdict, finding, torch_version)]
        found.append(Confirmation(False, tuple(Remark(one, one.message) for one in passed)) if passed else None)
    return Joined(found, untold)


def _foretold(findings: Sequence[Finding], remark: Remark) -> int | None:
    """The finding, by its place in the list, that says what an export said: by the same rule or with the same verdict."""
    frame, mode = remark.frame, remark.result.mode
    verdict = Verdict.FAILS if remark.later else _VERDICTS.get(remark.result.outcome)
    best: tuple[tuple[bool, int], int] | None = None
    for index, finding in enumerate(findings):
        if frame is None or not _covers(finding, frame.filename, frame.row):
            continue
        named = finding.code == remark.code
        if named or (verdict is not None and finding.verdict.get(mode) is verdict):
            rank = (named, finding.confidence.rank)
            if best is None or rank > best[0]:
                best = (rank, index)
    return None if best is None else best[1]


def _refutes(verdict: ExportVerdict, finding: Finding, torch_version: str) -> bool:
    """Whether an export got past a finding: that of the model that the finding is told for, or of one that has operators
    from its line in the graph."""
    result = verdict.result
    foretold = finding.verdict.get(result.mode, Verdict.OK)
    if (
        result.outcome is not Outcome.OK
        or foretold is Verdict.OK
        or _release(_version(result)) != _release(torch_version)
    ):
        return False
    if foretold is Verdict.SPECIALIZES and not (result.dimensions and all(one.dynamic for one in result.dimensions)):
        return False  # nothing was asked to be dynamic
    if finding.filename not in (name for name, _ in verdict.texts):
        return False
    same = finding.entry.partition(".")[0] == result.target.partition(".")[0]
    return (same and finding.filename == result.filename) or any(
        _covers(finding, one.filename, one.row) for one in result.traced
    )


def _covers(finding: Finding, filename: str, row: int) -> bool:
    return finding.filename == filename and finding.span.start.row <= row <= finding.span.end.row


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _version(result: ExportResult) -> str:
    return result.torch.partition("+")[0]


def _release(version: str) -> list[str]:
    """Patches change no verdict."""
    return version.split(".")[:2]


def _words(exception: str | None, text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    name = (exception or "").rpartition(".")[2]
    if name and not line.startswith(name):
        line = f"{name}: {line}" if line else name
    return line if len(line) <= LONGEST_WORDS else line[:LONGEST_WORDS] + " …"


def _files(result: ExportResult) -> set[str]:
    frames = [result.frame, *(failure.frame for failure in result.failures)]
    frames += [dimension.cause for dimension in result.dimensions]
    return {frame.filename for frame in frames if frame is not None and frame.project} | {
        one.filename for one in result.traced
    }
