"""The best third of the nodes of a graph, rounded, in the order of their scores."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.score = nn.Linear(width, 1)
        self.mix = nn.Linear(width, width)

    def forward(self, nodes):
        order = self.score(nodes).squeeze(-1).argsort(descending=True)
        best = order[: round(nodes.shape[0] / 3)]
        return self.mix(nodes[best]).relu()


# A graph has as many nodes as it likes.
model = Net()
example_args = (torch.linspace(-1, 1, 36).view(12, 3),)
dynamic_shapes = {"nodes": {0: Dim("nodes", min=6)}}
inputs = [(torch.linspace(-1, 1, 3 * n).view(n, 3),) for n in (12, 16, 9)]
# mended: EDB301
