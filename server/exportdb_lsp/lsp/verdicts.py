"""What real exports came to, kept for the texts that they were about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exportdb_rules.finding import Mode

    from exportdb_lsp.confirm.result import ExportResult

Digest = Callable[[str], str | None]
"""The digest of a file's text as it is now: of the open document, else of the disk; None if there is none."""


@dataclass(frozen=True)
class Verdict:
    """One result, and the digests of the texts that it speaks of."""

    result: ExportResult
    texts: tuple[tuple[str, str | None], ...]

    def current(self, digest: Digest) -> bool:
        """Whether all those texts still are as they were; taking an edit back makes a verdict true again."""
        return all(digest(filename) == known for filename, known in self.texts)


class Verdicts:
    """The last verdict of every target in every mode."""

    def __init__(self) -> None:
        self._by_file: dict[str, dict[tuple[str, Mode], Verdict]] = {}

    def add(self, results: Iterable[ExportResult], digest: Digest) -> set[str]:
        """Keep results; `digest` must be that of the moment when the export was asked for. The files they mark."""
        marked: set[str] = set()
        for result in results:
            files = {result.filename, *_files(result)}
            texts = tuple((name, digest(name)) for name in sorted(files))
            known = self._by_file.setdefault(result.filename, {})
            before = known.get((result.target, result.mode))
            if before is not None:
                marked |= {before.result.filename, *_files(before.result)}
            known[result.target, result.mode] = Verdict(result, texts)
            marked |= files
        return marked

    def of(self, filename: str) -> list[Verdict]:
        """The verdicts of the targets in a file."""
        return list(self._by_file.get(filename, {}).values())

    def all(self) -> list[Verdict]:
        """Every verdict."""
        return [verdict for known in self._by_file.values() for verdict in known.values()]

    def find(self, filename: str, target: str) -> list[Verdict]:
        """The verdicts of one target, one a mode."""
        return [verdict for verdict in self.of(filename) if verdict.result.target == target]

    def clear(self, filename: str | None = None) -> set[str]:
        """Forget those of a file, or all. The files that they marked."""
        gone = self.all() if filename is None else self.of(filename)
        if filename is None:
            self._by_file.clear()
        else:
            self._by_file.pop(filename, None)
        return {name for verdict in gone for name, _ in verdict.texts}

    def rename(self, old: str, new: str) -> None:
        """A file has another name now; what was found out about it holds."""
        known = self._by_file.pop(old, None)
        if known is not None:
            self._by_file[new] = {
                key: Verdict(
                    replace(verdict.result, filename=new),
                    tuple((new if name == old else name, text) for name, text in verdict.texts),
                )
                for key, verdict in known.items()
            }


def _files(result: ExportResult) -> set[str]:
    frames = [result.frame, *(failure.frame for failure in result.failures)]
    frames += [dimension.cause for dimension in result.dimensions]
    return {frame.filename for frame in frames if frame is not None and frame.project}
