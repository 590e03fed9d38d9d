"""Workers that tests use one after the other: starting one imports torch, which costs more than most exports."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any, ClassVar

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.worker_process import WorkerProcess, environment

# What differs from test to test, and no export reads.
OWN = frozenset({"XDG_CACHE_HOME", "PWD"})


class LentWorker:
    """In place of a `WorkerProcess`: one that another test has done with, in the same environment. `close` gives it back."""

    _idle: ClassVar[defaultdict[tuple[Any, ...], list[WorkerProcess]]] = defaultdict(list)

    def __init__(self, interpreter: str, *, fresh: bool = False, cwd: str | None = None) -> None:
        seen = environment(os.environ)
        self._kind = (interpreter, fresh, cwd, *sorted(item for item in seen.items() if item[0] not in OWN))
        idle = [worker for worker in self._idle.pop(self._kind, ()) if worker.alive]
        self._worker = idle.pop() if idle else WorkerProcess(interpreter, fresh=fresh, cwd=cwd)
        self._idle[self._kind] += idle
        self._jobs = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._worker, name)

    def run(self, *arguments: Any) -> dict[str, Any]:
        """As the worker does."""
        self._jobs += 1
        try:
            return self._worker.run(*arguments)
        finally:
            self._jobs -= 1

    def close(self) -> None:
        """One that starts, or has something running, is ended as always."""
        if self._jobs or self._worker.ready is None or not self._worker.alive:
            self._worker.close()
        else:
            self._idle[self._kind].append(self._worker)

    @classmethod
    def lend(cls, patch: pytest.MonkeyPatch) -> None:
        """Commands and servers in this process have such workers as long as the patch lasts."""
        patch.setattr("exportdb_lsp.confirm.confirmer.WorkerProcess", cls)
        patch.setattr("exportdb_lsp.confirm.worker_process.WorkerProcess", cls)

    @classmethod
    def close_all(cls) -> None:
        """End those that nobody has."""
        while cls._idle:
            for worker in cls._idle.popitem()[1]:
                worker.close()


class LentConfirmer(Confirmer):
    """A confirmer whose workers are lent."""

    def _worker(self, interpreter: str) -> WorkerProcess | None:
        with pytest.MonkeyPatch.context() as patch:
            LentWorker.lend(patch)
            return super()._worker(interpreter)
