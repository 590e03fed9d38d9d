"""The proof of a rewrite where the file itself keeps state: calls that it counted, operators that it defined."""

from __future__ import annotations

from pathlib import Path

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


@pytest.fixture(scope="module")
def confirmer():
    confirmer = Confirmer()
    yield confirmer
    confirmer.close()


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
