"""Views whose last size is fixed under `Dim.AUTO`, beside what the exported program takes of sizes that eager takes."""

from __future__ import annotations

import pytest
from checking import Checker

torch = pytest.importorskip("torch")

NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor):
        {shape}
        return {result}
"""
KNOWN = "batch, time, channels = x.shape"
# How the rank is known, expressions of x, [2, 6, 8] in the example, and whether the program that is exported refuses [2, 6, 16],
# although eager does not.
ROWS = [
    (KNOWN, "x.reshape(-1, self.width)", True),
    (KNOWN, "x.view(batch, -1, self.width).sum(1)", True),
    (KNOWN, "x.relu().view(-1, 8)", True),
    ("pass", "x.reshape(-1, self.width)", True),
    ("pass", "(x + 1).view(-1, 8)", True),
    (KNOWN, "x.reshape(-1, channels)", False),
    (KNOWN, "x.view(batch, time, 2, -1)", False),
    ("pass", "x.reshape(-1, 1)", False),
    ("pass", "x.reshape(-1, x.shape[-1])", False),
]


@pytest.mark.parametrize(("shape", "result", "specialized"), ROWS)
def test_a_view_whose_last_size_is_fixed(shape: str, result: str, specialized: bool, check_text: Checker) -> None:
    text = NET.format(shape=shape, result=result)
    found = [finding.code for finding in check_text(text, dynamic="all").findings]
    assert found == (["EDB305"] if specialized else [])
    names: dict[str, object] = {}
    exec(text, names)
    net = names["Net"](8)  # type: ignore[operator]
    auto = torch.export.Dim.AUTO
    program = torch.export.export(net, (torch.randn(2, 6, 8),), dynamic_shapes=({0: auto, 1: auto, 2: auto},)).module()
    wider = torch.randn(2, 6, 16)
    expected = net(wider)
    if specialized:
        with pytest.raises(Exception, match=r"Guard failed|Expected input"):
            program(wider)
    else:
        torch.testing.assert_close(program(wider), expected)
