"""`check --verify`: of all fixes only those are kept that real exports prove."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from exportdb_lsp.checking.checker import check_groups
from exportdb_lsp.checking.proving import Changed, Proof, Prover
from exportdb_lsp.files.names import shown
from exportdb_lsp.interpreter import find_interpreter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from exportdb_lsp.checking.cache_store import CacheStore
    from exportdb_lsp.checking.plan import Plan, ProjectFiles
    from exportdb_lsp.checking.results import Applied, Change, Checked, CheckRequest, FindingKey
    from exportdb_lsp.confirm.confirmer import Confirmer

# Of so many fixes of one file each is left out once, in search of the one that is wrong; of more, all are taken back.
MAX_SUSPECTS: Final = 8


@dataclass
class Verification:
    """Applies fixes, has them proven, and takes back what is not. `proven`, by file, and `rolled_back` are for people."""

    plan: Plan
    groups: Sequence[ProjectFiles]
    work: CheckRequest
    jobs: int
    store: CacheStore | None
    confirmer: Confirmer
    proven: dict[str, str] = field(default_factory=dict[str, str])
    rolled_back: list[str] = field(default_factory=list[str])
    _proofs: dict[str, Proof] = field(default_factory=dict[str, Proof])

    def run(self) -> list[Checked]:
        """What is found and changed when only proven fixes are applied."""
        refused: dict[str, frozenset[FindingKey]] = {}
        settled: set[str] = set()
        while True:
            checked = self._check(refused)
            changes = _changes(checked)
            filename = next((name for name in changes if name not in settled), None)
            if filename is None:
                return [self._redeclared(item) for item in checked]
            settled.add(filename)
            proof = self._proof(changes, filename)
            self._proofs[filename] = proof
            if proof.proven:
                self._tell_proven(changes[filename], proof)
                continue
            # What was proven with the fixes that are taken back now has to be proven without them.
            settled.clear()
            fewer = self._fewer(refused, filename, changes[filename], proof)
            if fewer is None:
                # What is wrong with one model says nothing of the fixes of the others: they are proven without it.
                out = _blamed(changes[filename], proof)
                if not _places(out) - refused.get(filename, frozenset()):
                    out = changes[filename].applied
                self._tell_rolled_back(filename, out, proof)
                fewer = _places(out)
            else:
                settled.add(filename)
            refused[filename] = refused.get(filename, frozenset()) | fewer

    def _check(self, refused: dict[str, frozenset[FindingKey]]) -> list[Checked]:
        return check_groups(self.groups, replace(self.work, refused=refused), self.jobs, None, self.store)

    def _proof(self, changes: dict[str, Change], filename: str) -> Proof:
        root = self.plan.root(Path(filename))
        settings = self.plan.settings(root)
        prover = Prover(self.confirmer, root, settings, find_interpreter(settings.interpreter, root))
        texts = {name: Changed(change.file.text, change.text) for name, change in changes.items()}
        entries = {applied.entry for applied in changes[filename].applied}
        return prover.prove(texts, filename, entries, redeclare=self.work.unsafe)

    def _redeclared(self, checked: Checked) -> Checked:
        """A file with the Dims that its proof holds for."""
        text = self._proofs[checked.filename].text if checked.change is not None else None
        if checked.change is None or text is None:
            return checked
        return replace(checked, change=replace(checked.change, text=text))

    def _fewer(
        self, refused: dict[str, frozenset[FindingKey]], filename: str, change: Change, proof: Proof
    ) -> frozenset[FindingKey] | None:
        """Those fixes of a file without which the others are proven; None if there are no such."""
        for out in _suspects(change, proof) if proof.results else ():
            places = _places(out) | refused.get(filename, frozenset())
            changes = _changes(self._check({**refused, filename: places}))
            if filename in changes and (without := self._proof(changes, filename)).proven:
                self._proofs[filename] = without
                self._tell_rolled_back(filename, out, proof)
                self._tell_proven(changes[filename], without)
                return places
        return None

    def _tell_proven(self, change: Change, proof: Proof) -> None:
        name, count = str(change.file.path), len(change.applied)
        self.proven[name] = f"{shown(name)}: {count} fix{'es' if count > 1 else ''} verified: {proof.words}"

    def _tell_rolled_back(self, filename: str, fixes: Sequence[Applied], proof: Proof) -> None:
        for applied in fixes:
            place = f"{shown(filename)}:{applied.row}"
            self.rolled_back.append(
                f"{place}: {applied.code} not fixed, {applied.title!r} failed verification: {proof.words}"
            )


def _changes(checked: Sequence[Checked]) -> dict[str, Change]:
    return {item.filename: item.change for item in checked if item.change is not None}


def _suspects(change: Change, proof: Proof) -> Iterator[Sequence[Applied]]:
    """Fixes of a change that may be the only ones to blame: those of the models that are not proven, then each one."""
    theirs = _blamed(change, proof)
    if 0 < len(theirs) < len(change.applied):
        yield theirs
    if 1 < len(change.applied) <= MAX_SUSPECTS:
        yield from [(applied,) for applied in reversed(change.applied)]


def _blamed(change: Change, proof: Proof) -> Sequence[Applied]:
    """The fixes of a change that were made for the models that are not proven."""
    blamed = {result.target for result in proof.results if not result.proven}
    return [applied for applied in change.applied if applied.entry.rpartition(".")[0] in blamed]


def _places(fixes: Sequence[Applied]) -> frozenset[FindingKey]:
    return frozenset([applied.place for applied in fixes if applied.place is not None])


def verified(
    plan: Plan, groups: Sequence[ProjectFiles], work: CheckRequest, jobs: int, store: CacheStore | None
) -> list[Checked]:
    """The files with the fixes that were proven; tells on standard error what was proven, and what not and why."""
    from exportdb_lsp.confirm.confirmer import Confirmer

    confirmer = Confirmer()
    try:
        verification = Verification(plan, groups, work, jobs, store, confirmer)
        checked = verification.run()
    finally:
        confirmer.close()
    for line in (*verification.proven.values(), *verification.rolled_back):
        click.echo(line, err=True)
    return checked
