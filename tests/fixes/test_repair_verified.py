"""The proof of a rewrite where the file itself keeps state: calls that it counted, operators that it defined."""

from __future__ import annotations

from pathlib import Path

import proof
import pytest
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.verification import VerifyRequest

COUNTED = """\
import torch

calls = 0


# exportdb: args=(torch.ones(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        global calls
        calls += 1
        return x * calls
"""
BUFFER = """\
import torch

calls = torch.tensor(0)


# exportdb: args=(torch.ones(2, 3),)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", calls, persistent=False)

    def forward(self, x):
        self.calls += {step}
        return x * self.calls
"""
DEFINED = """\
import torch

torch.library.define("exportdb_proof::halve", "(Tensor x) -> Tensor")


@torch.library.impl("exportdb_proof::halve", "cpu")
def halve(x):
    return x / 2

{fake}
# exportdb: args=(torch.ones(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_proof.halve(x)
"""
FAKE = """
@torch.library.register_fake("exportdb_proof::halve")
def _(x):
    return torch.empty_like(x)

"""


@pytest.mark.parametrize(("step", "proven"), [(1, True), (2, False)])
def test_calls_that_the_file_counted_are_forgotten_for_every_model(
    confirmer: Confirmer, tmp_path: Path, step: int, proven: bool
) -> None:
    after = BUFFER.format(step=step)
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), COUNTED, after, root=tmp_path))
    assert result.proven is proven, result.message


def test_operators_that_the_old_code_defined_are_defined_again(confirmer: Confirmer, tmp_path: Path) -> None:
    before, after = DEFINED.format(fake=""), DEFINED.format(fake=FAKE)
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), before, after, root=tmp_path))
    assert result.proven, result.message


HELD = """\
import torch

library = torch.library.Library("exportdb_held", "DEF")
library.define("pooled(Tensor points, int cells) -> (Tensor, Tensor)")


def _pooled(points, cells):
    cell = (points * cells).floor().long().clamp(0, cells - 1)
    total = torch.zeros(cells).index_add_(0, cell, points)
    return total, torch.zeros(cells).index_add_(0, cell, torch.ones({count}))


library.impl("pooled", _pooled, "CPU")


class Net(torch.nn.Module):
    def forward(self, x):
        total, count = torch.ops.exportdb_held.pooled(x.sigmoid(), 4)
        if (count == 0).all():
            raise ValueError("nothing there")
        return total / count.clamp(min=1)


model = Net()
example_args = (torch.randn(5),)
dynamic_shapes = ({{0: torch.export.Dim("points")}},)
"""


@pytest.mark.parametrize("count", ["len(cell)", "cell.shape[0]"])
def test_a_kernel_of_a_library_is_its_own_fake_and_its_results_are_tensors(
    confirmer: Confirmer, tmp_path: Path, count: str
) -> None:
    before = HELD.format(count=count)
    found = proof.repair(before)
    assert [finding.code for finding in found.left] == []
    assert "torch._assert_async" in found.text
    assert ('register_fake("exportdb_held::pooled", _pooled)' in found.text) is (count != "len(cell)")
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), before, found.text, root=tmp_path))
    assert result.proven, result.message


DECORATED = """\
import torch


@torch.library.custom_op("exportdb_full::kept", mutates_args=())
def kept(scores: torch.Tensor, k: int) -> torch.Tensor:
    places = scores.topk(k, dim=-1).indices
    return torch.zeros_like(scores).scatter_(-1, places, 1.0)


class Net(torch.nn.Module):
    def forward(self, x):
        mask = torch.ops.exportdb_full.kept(x, 2)
        if mask.sum() > 3:
            x = x * 2
        return x * mask


model = Net()
example_args = (torch.randn(3, 4),)
dynamic_shapes = ({0: torch.export.Dim("rows")},)
"""


def test_an_operator_that_is_called_by_its_full_name_gets_its_fake_kernel(confirmer: Confirmer, tmp_path: Path) -> None:
    found = proof.repair(DECORATED)
    assert [finding.code for finding in found.left] == []
    assert "@kept.register_fake\ndef _(scores: torch.Tensor, k: int):" in found.text
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), DECORATED, found.text, root=tmp_path))
    assert result.proven, result.message


DRAWN = """\
import torch


# exportdb: args=(torch.ones(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        if torch.rand(1) < 0.5:
            x = x * 2
        return x
"""


def test_a_branch_on_a_number_that_is_drawn_is_proven_by_the_same_draws(confirmer: Confirmer, tmp_path: Path) -> None:
    after = proof.repair(DRAWN).text
    assert "torch.where(torch.rand(1) < 0.5" in after
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), DRAWN, after, root=tmp_path))
    assert result.proven, result.message
