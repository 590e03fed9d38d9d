"""Models that do to their process what they like: the verdict is right, nothing is left, the next export is right."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.confirm.worker_process import WorkerProcess
from exportdb_lsp.worker.processes import descendants
from exportdb_rules.finding import Mode

HOSTILE = Path(__file__).parent / "hostile"
FILES = sorted(HOSTILE.glob("*.py"))
GOOD = """
import torch

# exportdb: args=(torch.randn(2, 3),)
class Good(torch.nn.Module):
    def forward(self, x):
        return x + 1

# exportdb: args=(torch.randn(2, 3),)
class Bad(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x
"""


def export(confirmer: Confirmer, filename: str, text: str | None = None, timeout: float = 20.0):
    return confirmer.run(
        ExportRequest(
            filename,
            text=text,
            modes=(Mode.NON_STRICT,),
            root=HOSTILE,
            timeout=timeout,
            memory_limit=1024**3,
            draft=False,
        )
    )


def expected(path: Path) -> set[str]:
    return set(path.read_text().splitlines()[0].removeprefix("# expected: ").split("|"))


def left_by(worker: WorkerProcess) -> set[int]:
    """The processes below a worker, without the one that waits for the next job, which is told a moment after it began."""
    until = time.monotonic() + 5
    while (left := descendants(worker.pid) - {worker.spare}) and time.monotonic() < until:
        time.sleep(0.01)
    return left


def test_there_are_enough_of_them():
    assert len(FILES) >= 25


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_verdict_is_right_and_nothing_is_left(confirmer: Confirmer, path: Path):
    wanted = expected(path)
    # Only those that hang may take all of their time; the others get enough for a slow machine.
    (result,) = export(confirmer, str(path), timeout=3.0 if "timeout" in wanted else 30.0)
    assert result.outcome.value in wanted, result
    assert result.message
    worker = confirmer.worker(ExportRequest(str(path)).interpreter)
    assert not left_by(worker)

    good, bad = export(confirmer, str(HOSTILE / "good.py"), GOOD)
    assert (good.outcome, bad.outcome) == (Outcome.OK, Outcome.FAILS)
    assert bad.frame is not None
    assert bad.frame.row == 12


RAISING = """
import torch

class Own(BaseException):
    pass

def leave(where):
    if where == {place!r}:
        raise {raised}

# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        leave("init")

    def forward(self, x):
        leave("forward")
        return x

leave("import")
"""


@pytest.mark.parametrize("place", ["import", "init", "forward"])
@pytest.mark.parametrize("raised", ["SystemExit(0)", "KeyboardInterrupt", "Own('stop')"])
def test_what_except_exception_does_not_catch_is_an_error_of_the_models(confirmer: Confirmer, raised: str, place: str):
    (result,) = export(confirmer, str(HOSTILE / "raising.py"), RAISING.format(place=place, raised=raised))
    assert (result.outcome, result.exception) == (Outcome.EAGER_ERROR, raised.partition("(")[0])
    assert result.frame is not None
    assert result.frame.code == f"raise {raised}"
