"""What real exports came to, kept for the texts that they were about."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from exportdb_lsp.confirm.confirmation import ExportVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from exportdb_lsp.confirm.confirmation import Digest
    from exportdb_lsp.confirm.result import ExportResult, Frame


class Verdicts:
    """The last verdict of every target in every mode, for every goal."""

    def __init__(self) -> None:
        self._by_file: dict[str, dict[tuple[str, str, str], ExportVerdict]] = {}

    def add(self, results: Iterable[ExportResult], digest: Digest) -> None:
        """Keep results; `digest` must be that of the moment when the export was asked for."""
        for result in results:
            verdict = ExportVerdict.of(result, digest)
            self._by_file.setdefault(result.filename, {})[result.target, result.how, result.call] = verdict

    def of(self, filename: str) -> list[ExportVerdict]:
        """The verdicts of the targets in a file."""
        return list(self._by_file.get(filename, {}).values())

    def all(self) -> list[ExportVerdict]:
        """Every verdict."""
        return [verdict for known in self._by_file.values() for verdict in known.values()]

    def find(self, filename: str, target: str) -> list[ExportVerdict]:
        """The verdicts of one target: one a mode, and one for each call that exports it."""
        return [verdict for verdict in self.of(filename) if verdict.result.target == target]

    def of_call(self, filename: str, rows: range) -> list[ExportVerdict]:
        """The verdicts of the call of torch.export that stands on some rows of a file."""
        places = {f"{filename}:{row}" for row in rows}
        return [verdict for verdict in self.of(filename) if verdict.result.call in places]

    def clear(self, filename: str | None = None) -> None:
        """Forget those of a file, or all."""
        if filename is None:
            self._by_file.clear()
        else:
            self._by_file.pop(filename, None)

    def rename(self, old: str, new: str) -> None:
        """A file, or a folder with all that is in it, has another name now; what was found out about it holds."""

        def moved(filename: str) -> str:
            inside = filename == old or filename.startswith(old + os.sep)
            return new + filename[len(old) :] if inside else filename

        by_file: dict[str, dict[tuple[str, str, str], ExportVerdict]] = {}
        for filename, known in self._by_file.items():
            kept = by_file.setdefault(moved(filename), {})
            for key, verdict in known.items():
                texts = tuple((moved(name), text) for name, text in verdict.texts)
                kept[key] = verdict if texts == verdict.texts else ExportVerdict(_moved(verdict.result, moved), texts)
        self._by_file = by_file


def _moved(result: ExportResult, moved: Callable[[str], str]) -> ExportResult:
    """A result with other names for its files."""

    def frames(given: tuple[Frame, ...]) -> tuple[Frame, ...]:
        return tuple(replace(frame, filename=moved(frame.filename)) for frame in given)

    return replace(
        result,
        filename=moved(result.filename),
        frames=frames(result.frames),
        origin=frames(result.origin),
        failures=tuple(replace(failure, frames=frames(failure.frames)) for failure in result.failures),
        dimensions=tuple(
            replace(one, cause=frames((one.cause,))[0]) if one.cause is not None else one for one in result.dimensions
        ),
        traced=tuple(replace(one, filename=moved(one.filename)) for one in result.traced),
    )
