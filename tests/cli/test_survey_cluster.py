"""`survey --scheduler`: classes exported by the workers of a Dask cluster, one of which is lost."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.survey import cluster

from ..optional import needs
from ..programs import block
from .conftest import BRANCH, CLEAN, Program

needs("distributed", "the extra `cluster` is not installed")

# The first process that runs this waits, and is there for the test to end its worker.
# One cluster for all tests here, so one process.
pytestmark = pytest.mark.xdist_group("cluster")

WAITS = block("""
    import os
    import time

    import torch
    from torch import nn

    BEGUN = @BEGUN@
    if not os.path.exists(BEGUN):
        with open(BEGUN, "w"):
            pass
        while not os.path.exists(BEGUN + ".over"):
            time.sleep(0.05)


    class Waits(nn.Module):
        def forward(self, x):
            return torch.relu(x)
""")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file that the first process makes that waits; it waits no longer once the tests are over."""
    path = tmp_path_factory.mktemp("begun") / "begun"
    yield path
    path.with_name("begun.over").touch()


@pytest.fixture(scope="module")
def local(begun: Path) -> Iterator[Any]:
    """A cluster of two workers, each a process with one thread."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
    ) as made:
        yield made


def outcomes(rows: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return sorted((row["name"], row["setting"], row["outcome"]) for row in rows)


def test_what_a_lost_worker_had_is_exported_again(run: Program, local: Any, begun: Path) -> None:
    waits = WAITS.replace("@BEGUN@", repr(str(begun)))
    for name, text in {"bad": BRANCH, "clean": CLEAN, "waits": waits}.items():
        run.write(f"nets/{name}.py", text)
    lost: list[str] = []

    def lose() -> None:
        """Ends the worker that exports the class that waits."""
        import distributed

        with distributed.Client(local.scheduler_address, set_as_default=False) as client:
            while not begun.exists():
                time.sleep(0.05)
            pids = client.run(os.getpid)
            (address,) = [worker for worker, keys in client.processing().items() if any("::Waits" in k for k in keys)]
            lost.append(address)
            os.kill(pids[address], signal.SIGKILL)

    thread = threading.Thread(target=lose, daemon=True)
    thread.start()
    arguments = ["nets", "--scheduler", local.scheduler_address, "--python", sys.executable]
    done = run("survey", *arguments, "--results", "rows.jsonl", "--output-format", "json")
    thread.join(5)
    assert (done.status, len(lost)) == (0, 1), done.err
    rows = [json.loads(line) for line in (run.folder / "rows.jsonl").read_text().splitlines()]
    assert outcomes(rows) == [
        *[("Fine", setting, "ok") for setting in ("auto", "non-strict", "strict")],
        *[("Net", setting, "fails") for setting in ("non-strict", "strict")],
        *[("Waits", setting, "ok") for setting in ("auto", "non-strict", "strict")],
    ]
    assert {row["name"]: row["line"]["rule"] for row in rows if row["name"] == "Net"} == {"Net": "EDB101"}
    # The rows are those of a survey without a cluster: it goes on from them, and finds nothing left to export.
    again = run("survey", "nets", "--python", sys.executable, "--results", "rows.jsonl", "--output-format", "json")
    assert again.json == done.json


def test_a_second_survey_on_the_same_cluster(run: Program, local: Any) -> None:
    # By the same worker: it has exported for a survey that is over.
    local.scale(1)
    while len(local.scheduler.workers) > 1:
        time.sleep(0.05)
    for number in range(2):
        run.write(f"nets/clean{number}.py", CLEAN)
    arguments = ["nets", "--scheduler", local.scheduler_address, "--python", sys.executable]
    for name in ("first.jsonl", "second.jsonl"):
        assert run("survey", *arguments, "--results", name).status == 0
        rows = [json.loads(line) for line in (run.folder / name).read_text().splitlines()]
        assert outcomes(rows) == [("Fine", setting, "ok") for setting in ("auto", "non-strict", "strict") for _ in "12"]


def test_a_worker_with_other_sources_exports_nothing(local: Any, run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("nets/clean.py", CLEAN)
    monkeypatch.setattr("exportdb_lsp.survey.surveying.__version__", "0.0.0")
    done = run("survey", "nets", "--scheduler", local.scheduler_address, "--python", sys.executable)
    assert (done.status, done.out) == (2, "")
    assert "other sources, or another version of torch or exportdb-lsp" in done.err


def test_a_class_that_loses_its_workers_says_so() -> None:
    from exportdb_lsp.survey.surveying import SurveyedClass, SurveyPlan

    lost = cluster._lost(SurveyPlan(Path("."), (), "basis", ()), SurveyedClass("a.py", "A", 3), RuntimeError("a\nb"))
    assert (lost.target, lost.outcome.value, lost.message) == (
        "a.py::A",
        "crash",
        "the workers that exported it were lost: a",
    )


def test_a_cluster_that_cannot_be_used_is_said_in_one_line(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write("nets/clean.py", CLEAN)
    monkeypatch.setattr(cluster, "PATIENCE", 0.2)
    arguments = ["survey", "nets", "--python", sys.executable, "--scheduler"]
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "tcp://127.0.0.1:"):
        done = run(*arguments, address)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done.err
        assert done.err.startswith(f"Error: {address}: no Dask scheduler answers: ")
    done = run(*arguments, "tcp://127.0.0.1:9", "--jobs", "2")
    assert "--jobs and --scheduler cannot be combined" in done.err
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = run(*arguments, "tcp://127.0.0.1:9")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "pip install 'exportdb-lsp[cluster]'" in done.err
