"""The files `support/<torch version>.json`: what each case was measured to do on one version of torch.

`support/fixed/<torch version>.json` has the same form: what the texts do that the fixes make of the cases. So has
`support/<goal>/<torch version>.json`: what the cases do that are taken further, to ONNX for instance.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "support"


@dataclass(frozen=True, slots=True)
class Record:
    """What one export in one mode did.

    `verdict` is one of "fails", "diverges", "specializes", "ok", or None where nothing could be measured, and then
    `error` says why. `exception` and `line` (in the case's file) belong to "fails"; `graph` is a hash of the exported
    graph's code; `message` is the first line of what torch says, or what differs in words. `eager` is there for the
    text that the fixes make of a case: where it computes something else than the case, in words. `operators` are those
    of the graph of a case that is decomposed. `frozen`: what was made for a goal has a number for a dimension that was
    declared dynamic.
    """

    verdict: str | None
    exception: str | None = None
    message: str | None = None
    line: int | None = None
    graph_break: str | None = None
    graph: str | None = None
    error: str | None = None
    eager: str | None = None
    operators: tuple[str, ...] | None = None
    frozen: bool | None = None

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Record:
        """Read one record; unknown keys are an error, so that a typing mistake in a file cannot pass for a verdict."""
        known = cls(**record)
        return known if known.operators is None else replace(known, operators=tuple(known.operators))

    def to_json(self) -> dict[str, Any]:
        """The record without the fields that say nothing."""
        return {"verdict": self.verdict} | {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class SupportFile:
    """All records of one version: case name -> "non-strict" | "strict" -> record.

    The programs that ship inside torch are there too, as `official/<name>`. `fingerprints` says which text of a case
    was measured: `Case.fingerprint` at that time.
    """

    torch: str
    python: str
    records: Mapping[str, Mapping[str, Record]]
    fingerprints: Mapping[str, str] = field(default_factory=dict[str, str])

    def updated(self, newer: SupportFile) -> SupportFile:
        """This file with the records that `newer` has in place of its own.

        What was measured of another text of a case is dropped, also in a mode that `newer` does not have.
        """
        joined = {case: dict(modes) for case, modes in self.records.items()}
        for case, modes in newer.records.items():
            same = self.fingerprints.get(case) == newer.fingerprints.get(case)
            joined[case] = (joined.get(case, {}) if same else {}) | dict(modes)
        return SupportFile(newer.torch, newer.python, joined, {**self.fingerprints, **newer.fingerprints})

    def only(self, cases: Collection[str]) -> SupportFile:
        """This file without the records of programs that are neither in `cases` nor shipped inside torch."""
        records = {case: modes for case, modes in self.records.items() if case in cases or "/" in case}
        kept = {case: text for case, text in self.fingerprints.items() if case in records}
        return SupportFile(self.torch, self.python, records, kept)

    def missing(self, cases: Iterable[tuple[str, str]], modes: Collection[str]) -> list[str]:
        """Of cases with their fingerprints, the names of those that were not measured as they are now in `modes`."""
        return [
            name
            for name, text in cases
            if self.fingerprints.get(name) != text or not self.records.get(name, {}).keys() >= {*modes}
        ]

    def text(self) -> str:
        """The file's text: one line a case and mode, sorted, so that a diff shows what a new version changed."""
        lines: list[str] = []
        for case in sorted(self.records):
            modes = self.records[case]
            inner = ",\n".join(
                f"      {json.dumps(mode)}: {json.dumps(modes[mode].to_json(), ensure_ascii=False)}"
                for mode in sorted(modes)
            )
            lines.append(f"    {json.dumps(case)}: {{\n{inner}\n    }}")
        texts = [f"    {json.dumps(case)}: {json.dumps(text)}" for case, text in sorted(self.fingerprints.items())]
        head = f'{{\n  "torch": {json.dumps(self.torch)},\n  "python": {json.dumps(self.python)},\n  "cases": {{\n'
        middle = '\n  },\n  "fingerprints": {\n'
        return head + ",\n".join(lines) + middle + ",\n".join(texts) + "\n  }\n}\n"


def read(path: Path) -> SupportFile:
    """Read one support file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not a support file; the message names it.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        records = {
            case: {mode: Record.from_json(record) for mode, record in modes.items()}
            for case, modes in content["cases"].items()
        }
        return SupportFile(content["torch"], content["python"], records, dict(content.get("fingerprints", {})))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a support file: {error}") from error


def path_for(version: str) -> Path:
    """Where the file of this version belongs."""
    return FOLDER / f"{version}.json"


def fixed_path_for(version: str) -> Path:
    """Where the file belongs that says what became of the fixed cases on this version."""
    return FOLDER / "fixed" / f"{version}.json"


def goal_path_for(goal: str, version: str) -> Path:
    """Where the file belongs that says what the tool of a goal did with the cases on this version."""
    return FOLDER / goal / f"{version}.json"
