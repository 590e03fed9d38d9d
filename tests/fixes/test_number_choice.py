"""A choice between numbers that is not the same as an expression, or does not export as one, stays."""

from __future__ import annotations

import proof
import pytest

from ..programs import fill

NET = """\
import torch
from torch import nn


# exportdb: args=(torch.randn(4), torch.tensor(2), torch.tensor(0.5))
class Net(nn.Module):
    def forward(self, x, n, t):
        k, f = n.item(), t.item()
        s = 2.0
        {body}
        return x * s
"""


@pytest.mark.parametrize(
    "body",
    [
        "if k > 3:\n    s = 1\nelse:\n    s = 2.0",
        "if k > 3:\n    s = 1.0\nelse:\n    s = f",
        "if k > 3:\n    s = True\nelse:\n    s = False",
        "if k > 3 and k < 9:\n    s = 1.0\nelse:\n    s = 2.0",
        "if 3 < k < 9:\n    s = 1.0\nelse:\n    s = 2.0",
        "if k > 3:\n    s = 1.0\nelse:\n    k = 2",
        "if k > 3:\n    s = 1.0\n    k = 2\nelse:\n    s = 2.0",
        "if k == 0:\n    s = 1.0\nelif k == 1:\n    s = 2.0\nelse:\n    s = 3.0",
        "if f > 3.0:\n    f = 3.0\ns = f",
        "if k > 3:\n    k = 4\ns = k",
        "if k == 3:\n    k = 3\ns = k",
        "j = 2\nif k > 4:\n    j = 4\ns = j",
        "s = k if k > 4 else 3",
        "s = f if f > 4.0 else 4.0",
    ],
)
def test_another_choice_stays(body: str) -> None:
    done = proof.repair(fill(NET, body=body))
    assert not [title for title in done.titles if title.startswith(("Select the number", "Replace the branch"))]
