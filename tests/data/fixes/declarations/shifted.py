"""A loss over the next token: the logits have one row less than the targets."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, words=7, width=4):
        super().__init__()
        self.head = nn.Linear(width, words)

    def forward(self, states, targets):
        logits = self.head(states)
        return F.cross_entropy(logits, targets[1:], reduction="none")


def shapes():
    steps = Dim("steps")
    return {"states": {0: steps}, "targets": {0: steps + 1}}


rows = Dim("rows", max=100)
dynamic_shapes = {"states": {0: rows}, "targets": {0: Dim("words", max=100)}}
example_args = (torch.ones(5, 4), torch.zeros(6, dtype=torch.int64))
model = Net()
inputs = [(torch.linspace(-1, 1, 4 * n).view(n, 4), torch.arange(n + 1) % 7) for n in (5, 3, 9)]
# mended: EDB308
