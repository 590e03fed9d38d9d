# expected: non-strict no-inputs, strict no-inputs
"""Takes something that nobody would guess."""

import torch


class Net(torch.nn.Module):
    def forward(self, graph):
        return graph["nodes"] + graph["edges"].degree()
