"""After an export that the Dims are to blame for: the declarations that are offered, each proven by an export."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.redeclaring import redeclarations, redeclared
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult, Outcome
from exportdb_lsp.confirm.verification import VerifyRequest
from exportdb_rules.finding import Mode
from exportdb_rules.rewrite.edits import apply

PROGRAM = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x):
        return {code}


model = Net()
example_args = (torch.randn(12, 4),)
dynamic_shapes = ({{0: Dim("n")}},)
"""


@pytest.mark.parametrize(
    ("code", "titles"),
    [
        ("x.reshape(-1, 2, 4)", ["Declare the dimensions as suggested by torch: n = 2*_n"]),
        ("torch.ones(64, 4)[: x.shape[0]] + x", ["Declare the dimensions as suggested by torch: n = Dim('n', max=64)"]),
        # No Dim says that `n // 4 * 3` is no 1, and 12 is one size of many.
        ("torch.fft.rfft(x, dim=0).abs()", ["Declare the dimension as Dim.DYNAMIC"]),
        (
            "x.chunk(2)[0] * 2",
            ["Declare the dimensions as suggested by torch: n = 12", "Declare the dimension as Dim.DYNAMIC"],
        ),
        # DYNAMIC would be refused as the name is.
        ("x * len(x.unbind(0))", ["Declare the dimensions as suggested by torch: n = 12"]),
        ("x + (1 if x.sum() > 0 else 2)", []),
        ("x + 1", []),
    ],
)
def test_what_is_offered_for_dims_that_do_not_hold(
    confirmer: Confirmer, tmp_path: Path, code: str, titles: list[str]
) -> None:
    text = PROGRAM.format(code=code)

    def exported(text: str) -> ExportResult:
        name = str(tmp_path / "net.py")
        request = ExportRequest(name, text, modes=(Mode.NON_STRICT,), root=tmp_path, draft=False)
        return confirmer.run(request)[0]

    result = exported(text)
    fixes = redeclarations(text, result)
    assert [fix.title for fix in fixes] == titles
    for fix in fixes:
        assert exported(apply(text, fix.edits)).outcome is Outcome.OK, fix


@pytest.mark.parametrize(
    ("code", "narrow"),
    [
        # Eager takes no more rows than the table has.
        ("torch.ones(64, 4)[: x.shape[0]] + x", True),
        # It takes any number of them here, and the range has those of one side.
        ("x + 1 if x.shape[0] > 8 else x", False),
    ],
)
def test_a_range_that_excludes_what_the_code_takes_is_not_chosen_for_the_user(
    confirmer: Confirmer, tmp_path: Path, code: str, narrow: bool
) -> None:
    text = PROGRAM.format(code=code)
    request = VerifyRequest(str(tmp_path / "net.py"), text, text, root=tmp_path)
    failed = [result.export for result in confirmer.verify(request) if result.export is not None]
    assert [export.suggested_fixes for export in failed]
    found = redeclared(confirmer, request, failed)
    assert (found is not None) == narrow, found
