"""What earlier runs found in a project, with all that it rests on: as much of it as still holds is not found again."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from exportdb_rules.names import NamesKept

from exportdb_lsp.checking import record
from exportdb_lsp.checking.file_state import FileState, FileStates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from exportdb_rules.finding import Fix, Span
    from exportdb_rules.no_fix import NoFix
    from exportdb_rules.report import Report, Unit

    from exportdb_lsp.checking.file_analyzer import Analysed, Finished

T = TypeVar("T")
_NOT_SOUND: Final = (LookupError, TypeError, ValueError, AttributeError, OSError)


class ResultCache:
    """The units and fixes of one project under one set of settings, each with the files that it rests on.

    A file is kept in one state only, the last that was seen; what rests on another state of it falls.
    """

    def __init__(self, root: Path, packages: Sequence[str] = (), content: Mapping[str, Any] | None = None) -> None:
        content = content or {}
        self.names = NamesKept(_sound(content.get("names"), lambda _, value: record.to_names(value)))
        self._disk = FileStates(root, packages, self.names)
        self._files = _sound(content.get("files"), lambda _, value: FileState.of_json(value))
        self._units = _sound(content.get("units"), _row)
        self._fixes = _sound(content.get("fixes"), _row)
        self._holding: dict[str, bool] = {}
        self._torn: set[str] = set()
        self.changed = False

    def content(self) -> dict[str, Any]:
        """All of it as JSON. Files that nothing rests on any more are left out."""
        needed = {name for value in (*self._units.values(), *self._fixes.values()) for name in value["behind"]}
        return {
            "files": {
                name: [state.digest, state.folder, state.name, state.is_package, dict(state.lookups)]
                for name, state in self._files.items()
                if name in needed
            },
            "units": self._units,
            "fixes": self._fixes,
            "names": {
                name: record.of_names(state, names)
                for name, (state, names) in self.names.known.items()
                if os.path.isfile(name)
            },
        }

    def unit(self, filename: str) -> Unit | None:
        """The unit of a file, if nothing that it rests on has changed."""
        try:
            value = self._units[filename]
            unit = record.to_unit(value["unit"]) if self._holds(value["behind"]) else None
        except _NOT_SOUND:  # never there, or not what this version writes
            return None
        if unit is None or unit.filename != filename:
            return None
        findings = (*unit.findings, *(item.finding for item in unit.outermost))
        places = [(found.filename, found.span) for found in findings]
        return unit if all(self._has(value["behind"], *place) for place in places) else None

    def behind(self, filename: str) -> tuple[str, ...]:
        """The files that the unit of a file rests on."""
        value = self._units.get(filename)
        return () if value is None else tuple(value["behind"])

    def fixes(self, report: Report, callers: Sequence[str]) -> list[tuple[Fix | None, NoFix | None]] | None:
        """The fix of each finding of a report, or why there is none, if all are known and nothing that they rest on has changed.

        Args:
            callers: the files whose entries the fixes would rest on now, besides its own.
        """
        try:
            value = self._fixes[report.filename]
            if value["callers"] != list(callers) or not self._holds(value["behind"]):
                return None
            known = {
                repr(finding): (record.to_fix(fix), record.to_no_fix(none)) for finding, fix, none in value["fixes"]
            }
            fixes = [known[repr(record.of_finding(f))] if f.fixable else (None, None) for f in report.findings]
        except _NOT_SOUND:  # a finding that was not there, or not what this version writes
            return None
        spans = [edit.span for fix, _ in fixes if fix is not None for edit in fix.edits]
        return fixes if all(self._has(value["behind"], report.filename, span) for span in spans) else None

    def add_units(self, analysed: Analysed) -> None:
        """Keep what was found by running entries."""
        self._add_files(analysed.table)
        self.names.known.update(analysed.names)
        for unit, behind in analysed.units:
            if self._whole(behind) and not any(problem.internal for problem in unit.problems):
                self._units[unit.filename] = {"unit": record.of_unit(unit), "behind": list(behind)}
                self.changed = True

    def add_fixes(self, finished: Finished) -> None:
        """Keep the fixes of a file."""
        filename = finished.checked.filename
        self._add_files(finished.table or {})
        if not finished.whole or not self._whole(finished.behind):
            return
        self._fixes[filename] = {
            "callers": list(finished.callers),
            "behind": list(finished.behind),
            "fixes": [
                [record.of_finding(item.finding), record.of_fix(item.fix), item.no_fix.value if item.no_fix else None]
                for item in finished.checked.found
                if item.finding.fixable
            ],
        }
        self.changed = True

    def _has(self, behind: Sequence[str], filename: str, span: Span) -> bool:
        """Whether a place is one of a file that an answer rests on, whose content is what it was."""
        return filename in behind and span.end.row <= self._disk.rows(filename)

    def _holds(self, behind: Iterable[str]) -> bool:
        return all(self._file_holds(name) for name in behind)

    def _file_holds(self, filename: str) -> bool:
        known = self._holding.get(filename)
        if known is None:
            state = self._files.get(filename)
            known = self._holding[filename] = state is not None and self._disk.holds(filename, state)
        return known

    def _whole(self, behind: Iterable[str]) -> bool:
        return all(self._holding.get(name) for name in behind)

    def _add_files(self, table: Mapping[str, FileState | None]) -> None:
        """Take in how files were read in this run. What rests on an older state of them falls."""
        renewed: set[str] = set()
        for filename, state in table.items():
            if filename in self._torn:
                continue
            known = self._files.get(filename)
            joined = state
            if state is not None and known is not None and self._file_holds(filename):
                joined = known.joined(state)
            elif known is not None:
                renewed.add(filename)
            if joined is None:
                # It could not be read, or was changed while this run went on.
                self._torn.add(filename)
                self._files.pop(filename, None)
            elif joined != known:
                self._files[filename] = joined
            self._holding[filename] = joined is not None
        if renewed:
            for kept in (self._units, self._fixes):
                for filename in [name for name, value in kept.items() if not renewed.isdisjoint(value["behind"])]:
                    del kept[filename]


def _sound(table: Any, read: Callable[[str, Any], T]) -> dict[str, T]:
    """What can be read of a table of a file that anybody may have written."""
    found: dict[str, T] = {}
    if isinstance(table, dict):
        for name, value in cast("dict[str, Any]", table).items():
            with contextlib.suppress(*_NOT_SOUND):
                found[name] = read(name, value)
    return found


def _row(filename: str, value: Any) -> dict[str, Any]:
    """What is known of a file, which rests on that file at least. Raises TypeError, LookupError or ValueError."""
    if filename not in record.texts(value["behind"]):
        raise ValueError(f"what is said of {filename} does not rest on it")
    return dict(value)
