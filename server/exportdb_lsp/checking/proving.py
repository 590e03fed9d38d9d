"""Proof of what fixes make of files: the models that reach the changed lines are exported, before and after."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from exportdb_rules.importers import importers
from exportdb_rules.project import Project

from exportdb_lsp.confirm import targets
from exportdb_lsp.confirm.confirmer import RequestError
from exportdb_lsp.confirm.redeclaring import redeclared
from exportdb_lsp.confirm.verification import VerifyRequest, VerifyResult
from exportdb_lsp.files.rewriting import FileError, read_text_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from threading import Event

    from exportdb_lsp.confirm.confirmer import Confirmer
    from exportdb_lsp.settings import UserSettings

# A helper that half the project calls is proven on the models that are nearest to it.
MAX_TARGETS: Final = 6


@dataclass(frozen=True)
class Changed:
    """A file before and after its fixes."""

    before: str
    after: str


@dataclass(frozen=True)
class Proof:
    """What came of one file's fixes. `results` are those of the models that had to be proven, and of those that had
    not but were found to compute something else; `trouble` says why there are none."""

    results: tuple[VerifyResult, ...] = ()
    trouble: str = ""
    text: str | None = None
    """The file after its fixes with the Dims that the proof holds for, where they had to be declared anew."""
    titles: tuple[str, ...] = ()
    """The fixes that declared them."""

    @property
    def proven(self) -> bool:
        """Whether every model that reaches the changes exports, and computes what it did."""
        return bool(self.results) and all(result.proven for result in self.results)

    @property
    def words(self) -> str:
        """The proof, or what speaks against it, in one line."""
        wrong = next((result for result in self.results if not result.proven), None)
        shown = [wrong] if wrong is not None else self.results
        parts = [*self.titles] if self.proven else []
        parts += [f"{result.target} ({result.mode.value}): {' '.join(result.message.split())}" for result in shown]
        return "; ".join(parts) or self.trouble


@dataclass(frozen=True)
class _Job:
    """What is to be proven of one file: `targets` with the files that they stand in, those first that are `named`."""

    filename: str
    targets: Sequence[tuple[str, targets.Target]]
    named: set[str]
    on_progress: Callable[[str], None] | None
    cancelled: Event | None


class Prover:
    """Proves changes in a project. Runs the project's own code, in the worker."""

    def __init__(self, confirmer: Confirmer, root: Path, settings: UserSettings, interpreter: str) -> None:
        self._confirmer = confirmer
        self._root = root
        self._modes = settings.modes
        self._interpreter = interpreter
        self._timeout = settings.timeout
        self._memory = settings.memory_limit

    def prove(
        self,
        changes: Mapping[str, Changed],
        filename: str,
        entries: Iterable[str],
        *,
        redeclare: bool = False,
        on_progress: Callable[[str], None] | None = None,
        cancelled: Event | None = None,
    ) -> Proof:
        """The proof of the changes in one file, with the other changed files as they are to be.

        Args:
            entries: the traced functions that reach the changes, as findings name them.
            redeclare: where the changed code does not hold for the file's Dims, try those that torch suggests.
        """
        classes = {entry.rpartition(".")[0] or entry for entry in entries}
        chosen = self._targets(changes, filename, classes)[:MAX_TARGETS]
        if not chosen:
            return Proof(trouble="no model with example inputs calls this code")
        named = {target.name for _, target in chosen} & classes
        job = _Job(filename, chosen, named, on_progress, cancelled)
        try:
            proof = self._proof(changes, job)
            if not redeclare or proof.proven:
                return proof
            return self._redeclared(changes, job) or proof
        except RequestError as error:
            return Proof(trouble=str(error))

    def _proof(self, changes: Mapping[str, Changed], job: _Job) -> Proof:
        kept: list[VerifyResult] = []
        for place, target in job.targets:
            required = target.name in job.named or not job.named
            for result in self._confirmer.verify(
                self._request(changes, place, target.name), on_progress=job.on_progress, cancelled=job.cancelled
            ):
                if required or result.same is False:
                    kept.append(result)
        return Proof(tuple(kept))

    def _redeclared(self, changes: Mapping[str, Changed], job: _Job) -> Proof | None:
        """The proof of the file with other Dims; None where none of them is proven for all its models."""
        titles: list[str] = []
        for place, target in job.targets:
            if place != job.filename:
                continue
            request = self._request(changes, place, target.name)
            results = self._confirmer.verify(request, on_progress=job.on_progress, cancelled=job.cancelled)
            failed = [result.export for result in results if result.export is not None]
            found = redeclared(self._confirmer, request, failed, on_progress=job.on_progress, cancelled=job.cancelled)
            if found is not None:
                titles += found.titles
                changes = {**changes, job.filename: replace(changes[job.filename], after=found.text)}
        if not titles:
            return None
        proof = self._proof(changes, job)
        text = changes[job.filename].after
        return replace(proof, text=text, titles=tuple(titles)) if proof.proven else None

    def _request(self, changes: Mapping[str, Changed], filename: str, name: str) -> VerifyRequest:
        text = _text(changes, filename)
        changed = changes.get(filename, Changed(text, text))
        others = {key: value for key, value in changes.items() if key != filename}
        return VerifyRequest(
            filename,
            changed.before,
            changed.after,
            name,
            self._modes,
            self._interpreter,
            self._root,
            self._timeout,
            self._memory,
            documents={key: value.after for key, value in others.items()},
            documents_before={key: value.before for key, value in others.items()},
        )

    def _targets(
        self, changes: Mapping[str, Changed], filename: str, classes: set[str]
    ) -> list[tuple[str, targets.Target]]:
        """The models to be exported: those of the file, those that the findings name first; else of files that import
        it."""
        own = self._of_file(changes, filename)
        if own:
            return sorted(own, key=lambda item: item[1].name not in classes)
        project = Project(self._root)
        found: list[tuple[str, targets.Target]] = []
        for name in importers(project, filename):
            found += self._of_file(changes, name)
        return sorted(found, key=lambda item: (item[1].name not in classes, not item[1].input_sources))

    def _of_file(self, changes: Mapping[str, Changed], filename: str) -> list[tuple[str, targets.Target]]:
        try:
            found = targets.find(_text(changes, filename), filename, targets.configured(self._root))
        except (SyntaxError, ValueError, FileError):
            return []
        return [(filename, target) for target in targets.choose(found, None)]


def _text(changes: Mapping[str, Changed], filename: str) -> str:
    """The old text of a file. Raises FileError."""
    changed = changes.get(filename)
    return read_text_file(Path(filename)).text if changed is None else changed.before
