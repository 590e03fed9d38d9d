"""A residual connection between two streams that were declared one by one."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.up = nn.Linear(width, width)

    def forward(self, stream, memory):
        # Both have the length of the text.
        return stream + self.up(memory)


batch = Dim("batch", max=64)
tokens = Dim("tokens", max=512)
rows = Dim("rows", min=3)
dynamic_shapes = {
    "stream": {0: batch, 1: tokens},
    "memory": {0: batch, 1: rows},  # as they come from the encoder
}
example_args = (torch.ones(2, 5, 4), torch.ones(2, 5, 4))
model = Net()
inputs = [(torch.linspace(-1, 1, 8 * n).view(2, n, 4), torch.ones(2, n, 4)) for n in (5, 3, 9)]
# mended: EDB308
