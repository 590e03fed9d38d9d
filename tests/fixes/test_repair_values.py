"""Values that look like those which a fix mends, and that no fix may touch."""

from __future__ import annotations

from textwrap import dedent, indent

import proof
import pytest

KEYS = """\
import torch

TABLE = {table}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = True

    def forward(self, x, n):
{body}


inputs = [(torch.ones(3), torch.tensor(1)), (torch.ones(3), torch.tensor(2))]
"""


@pytest.mark.parametrize(
    ("table", "body"),
    [
        ("{1: 0.5, 2: 2}", "return x * TABLE[n.item()]"),
        ("{1.0: 0.5, 2.0: 2.0}", "return x * TABLE[n.item()]"),
        ("{1: 'a', 2: 'b'}", "return x * len(TABLE[n.item()])"),
        ("{1: 0.5, 2: 2.0}", "TABLE[3] = 0.1; return x * TABLE[n.item()]"),
        ("{1: 0.5, 2: 2.0}", "return x.view(int(TABLE[n.item()]), -1)"),
        ("{1: 0.5, 2: 2.0}", "return x.double() * TABLE[n.item()]"),
        ("{1: 5, 2: 2}", "return x * (TABLE[n.item()] if self.ready else 1)"),
        ("{1: 5, 2: 2}", "return x.sum() * TABLE[n.item()]"),
        ("dict([(1, 5)])", "return x * TABLE[n.item()]"),
        ("{1: 5, 2: 2}", "return x ** TABLE[n.item()]"),
    ],
    ids=["mixed", "floats", "text", "changed", "a size", "double", "sometimes", "no dimensions", "computed", "power"],
)
def test_a_dict_that_no_tensor_can_stand_for_stays(table: str, body: str) -> None:
    text = KEYS.format(table=table, body=indent(dedent(body.replace("; ", "\n")), " " * 8))
    assert proof.offers(text), "nothing is found"
    assert "Look the key up in a tensor" not in proof.repair(text).titles
