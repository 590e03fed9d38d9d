"""Every outcome once, in both modes, with any torch.

    EXPORTDB_TEST_PYTHON=/path/to/python pytest tests/confirm/test_every_outcome.py

runs them in another interpreter, whose torch may be older or newer than that of the tests.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult, Outcome
from exportdb_rules.finding import Mode

PYTHON = os.environ.get("EXPORTDB_TEST_PYTHON", sys.executable)
FOLDER = Path(__file__).parent / "outcomes"
FILES = {path.stem: path for path in sorted(FOLDER.glob("*.py"))}


def export(confirmer: Confirmer, path: Path, **options: object) -> tuple[ExportResult, ...]:
    options.setdefault("timeout", 60.0)
    request = ExportRequest(str(path), root=FOLDER, interpreter=PYTHON, memory_limit=2 * 1024**3, **options)  # type: ignore[arg-type]
    return confirmer.run(request)


def expected(path: Path) -> dict[Mode, Outcome]:
    words = path.read_text().splitlines()[0].removeprefix("# expected: ").split(", ")
    return {Mode(mode): Outcome(outcome) for mode, outcome in (word.split(" ") for word in words)}


def test_every_outcome_is_among_them():
    assert {outcome for path in FILES.values() for outcome in expected(path).values()} == set(Outcome)


def goals(text: str) -> tuple[str, ...]:
    """What a file says it is for: `# to: onnx`."""
    return tuple(line.removeprefix("# to: ") for line in text.splitlines() if line.startswith("# to: "))


@pytest.mark.parametrize("path", FILES.values(), ids=FILES)
def test_the_outcome_and_its_line(confirmer: Confirmer, path: Path):
    wanted = expected(path)
    text = path.read_text()
    marked = next((row for row, line in enumerate(text.splitlines(), 1) if line.endswith("# here")), None)
    timeout = 4.0 if Outcome.TIMEOUT in wanted.values() else 60.0
    results = export(confirmer, path, timeout=timeout, goals=goals(text))
    assert {result.mode: result.outcome for result in results} == wanted, results
    for result in results:
        assert result.message
        assert result.torch.startswith("2.")
        assert (result.frame.row if result.frame else None) == marked, result


def test_what_this_torch_cannot_do_is_said(confirmer: Confirmer):
    """One of the two happens: the later failure is found, or it is said why not."""
    non_strict, strict = export(confirmer, FILES["fails"])
    later = "if x.mean() > 1:"
    assert [failure.frame.code for failure in non_strict.failures if failure.frame] == [later]
    found = all(failure.reached for failure in non_strict.failures)
    assert found != bool(non_strict.draft), non_strict.draft
    assert [(f.frame.code, f.reached) for f in strict.failures if f.frame] == [(later, False)]


def test_which_sizes_can_stay_open_is_found_out_or_it_is_said_that_it_cannot(confirmer: Confirmer):
    (result,) = export(confirmer, FILES["ok"], dynamic="auto", modes=(Mode.NON_STRICT,))
    if result.outcome is Outcome.NO_INPUTS:
        assert result.message == f"torch {result.torch} has no Dim.AUTO"
    else:
        assert result.outcome is Outcome.OK
        assert [(d.axis, d.dynamic) for d in result.dimensions] == [(0, True), (1, False)]
        assert result.dynamic_shapes


WITHOUT = """
import sys
import torch

# What an older torch lacks.
del torch.export.draft_export
sys.modules["torch.export._draft_export"] = None

# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x + 1
        if x.mean() > 1:
            x = x * 2
        return x
"""


@pytest.mark.skipif(sys.executable != PYTHON, reason="about the torch of the tests with parts taken away")
def test_a_torch_that_has_no_draft_export_leaves_the_rest_to_the_findings(confirmer: Confirmer, tmp_path: Path):
    (tmp_path / "net.py").write_text(WITHOUT)
    (result,) = export(confirmer, tmp_path / "net.py", modes=(Mode.NON_STRICT,))
    assert result.outcome is Outcome.FAILS
    assert result.draft == f"torch {result.torch} has no draft_export"
    assert [(f.frame.code, f.reached) for f in result.failures if f.frame] == [("if x.mean() > 1:", False)]
