"""A verdict is not what the code under test says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.confirm.verdict import Assembly
from exportdb_rules.finding import Mode

COUNTS = """
# exportdb: args=({make},)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x):
        self.n += 1
        return x * self.n
"""
PATCHED = """
torch.isclose = lambda a, b, **_: torch.ones_like(a, dtype=torch.bool)
torch.Tensor.tolist = lambda self: [0]
"""
OVERRIDDEN = """
library = torch.library.Library("aten", "IMPL")
library.impl("eq.Tensor", lambda a, b: torch.ones_like(a, dtype=torch.bool), "CPU")
"""


@pytest.mark.parametrize(
    ("forging", "make"),
    [
        (PATCHED, "torch.ones(2, 3)"),
        (PATCHED, "torch.ones(700, 700)"),
        (OVERRIDDEN, "torch.ones(2, 3, dtype=torch.long)"),
    ],
    ids=["isclose", "isclose of much", "aten::eq"],
)
def test_a_model_that_diverges_does_not_pass_by_a_comparison_of_its_own(export, forging: str, make: str):
    (result,) = export(forging + COUNTS.replace("{make}", make))
    assert result.outcome is Outcome.DIVERGES, result


@pytest.mark.parametrize(
    "parts",
    [
        (),
        ({"part": "judged"},),
        ({"part": "exported", "range_constraints": {}, "dimensions": ()}, {"part": "judged"}),
        ({"part": "compared", "calls": 5}, {"part": "judged"}),
        ({"part": "exported", "range_constraints": {}, "dimensions": ()}, {"part": "compared", "calls": 0}),
    ],
    ids=lambda parts: " ".join(part["part"] for part in parts),
)
def test_no_verdict_is_good_without_a_program_and_a_call_of_it(tmp_path: Path, parts: tuple[dict[str, object], ...]):
    assembly = Assembly(ExportRequest(str(tmp_path / "net.py")), "Net", Mode.NON_STRICT, "")
    for part in parts:
        assembly.add(part)
    result = assembly.result({"how": "done", "code": 0, "seconds": 0.1})
    assert result.outcome is Outcome.CRASH
    assert result.message
