"""Options of the whole suite: `--long` asks for all that is made at random, `--prove` for all proofs; `--record` keeps those that
a run makes anyway."""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

# Before torch is loaded, here and in the programs that are started: several processes share the cores, and a thread of OpenMP
# that waits for the others by looking again and again takes them away from all.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from . import proofs
from .lent_workers import LentConfirmer, LentWorker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exportdb_lsp.confirm.confirmer import Confirmer


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="100,000 mutated sources, 500 generated programs")
    parser.addoption("--prove", action="store_true", help="write the fixed programs, make all proofs, and record them")
    parser.addoption("--record", action="store_true", help="record the proofs that are made because something changed")


def pytest_collection_finish() -> None:
    """Ten thousand tests and torch are here to stay: the garbage collector need not go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the tests' programs keep between runs is not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def returned_workers(_own_cache: None) -> Iterator[None]:
    """Workers that are lent are ended after the last test."""
    yield
    LentWorker.close_all()


@pytest.fixture
def confirmer(returned_workers: None) -> Iterator[Confirmer]:
    """For all tests that export something, and are not about the start of a worker."""
    confirmer = LentConfirmer()
    yield confirmer
    confirmer.close()


@pytest.fixture
def lent_workers(returned_workers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and servers in this process use workers that are warm: what is tested is not the start of one."""
    LentWorker.lend(monkeypatch)


_passed: defaultdict[str, dict[str, str]] = defaultdict(dict)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collects the proofs of all processes of a run in the one that reports."""
    if report.when == "call" and report.passed:
        for kind, keys in (value for what, value in report.user_properties if what == "proofs"):
            _passed[kind].update(keys)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Records the proofs, where that was asked for."""
    asked = session.config.getoption("--prove") or session.config.getoption("--record")
    if asked and not hasattr(session.config, "workerinput"):
        for kind, keys in _passed.items():
            proofs.write(kind, keys)
