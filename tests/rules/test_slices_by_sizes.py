"""What is cut back to the size of an input under `Dim.AUTO`, beside what the exported program takes of sizes that eager takes."""

from __future__ import annotations

import pytest
from checking import Checker

torch = pytest.importorskip("torch")

NET = """\
import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def __init__(self, shift: int = 2):
        super().__init__()
        self.shift = shift
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor):
        batch, time, width = x.shape
        pad = (4 - time % 4) % 4
        padded = self.linear(F.pad(x, (0, 0, 0, pad)))
        shifted = F.pad(x, (0, 0, self.shift, self.shift))
        windows = padded.view(batch, -1, 4, 4, 4).permute(0, 1, 3, 2, 4)
        weight = torch.ones(4, 4)
        {statement}
"""
# Statements, and whether the program that is exported with a multiple of four refuses other lengths, although eager does not.
ROWS = [
    # What was laid out anew, or viewed as it lies, is contiguous where all of it is taken, and only there.
    ("return padded[:, :time]", True),
    ("return padded.view(batch, -1, 4, 4)[:, :time]", True),
    ("return (windows @ weight).permute(0, 1, 3, 2, 4).reshape(batch, -1, 16)[:, :time]", True),
    ("return windows.permute(0, 1, 3, 2, 4).contiguous().view(batch, -1, 16)[:, :time, :]", True),
    # What is left over is empty for multiples alone, and so is what is missing.
    ("return x[:, time // 4 * 4 :]", True),
    ("return torch.cat([x, x[:, time - pad :]], 1)", True),
    ("return torch.cat([x, x.new_zeros(batch, pad, 16)], 1)", True),
    ("return x, torch.zeros(max(0, time - 12))", True),
    ("return x, x.repeat(1, (23 + time) // time, 1)[:, : time + max(0, 24 - time)]", True),
    ("size = min(time, 4); return x, torch.ones(batch, (time + size - 1) // size * size - time)", True),
    ("return F.pad(x, (0, 0, 0, pad))", False),
    ("return x[:, : time // 4 * 4 - 1], torch.zeros(time - 1), torch.zeros(time // 4 + 1)", False),
    # The transpose of it never is.
    ("return padded.transpose(1, 2)[..., :time]", False),
    # As long as it was before the padding.
    ("return shifted[:, self.shift : self.shift + time]", False),
    ("return torch.cat([padded, padded], 1).view(batch, 2, time + pad, 16)[:, 0]", False),
]


def refused(text: str) -> bool:
    """Whether the exported program refuses a length that is no multiple of four."""
    names: dict[str, object] = {}
    exec(text, names)
    net = names["Net"]()  # type: ignore[operator]
    auto = torch.export.Dim.AUTO
    program = torch.export.export(net, (torch.randn(2, 12, 16),), dynamic_shapes=({0: auto, 1: auto},))
    other = torch.randn(2, 14, 16)
    net(other)
    try:
        program.module()(other)
    except Exception:
        return True
    return False


@pytest.mark.parametrize(("statement", "narrowed"), ROWS, ids=[statement for statement, _ in ROWS])
def test_a_slice_by_the_size_of_an_input(statement: str, narrowed: bool, check_text: Checker) -> None:
    text = NET.format(statement=statement)
    found = [finding.code for finding in check_text(text, dynamic="all").findings]
    assert found == (["EDB305"] if narrowed else [])
    assert refused(text) is narrowed
