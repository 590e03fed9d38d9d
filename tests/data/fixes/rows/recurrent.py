"""A cell that goes over the frames of a recording, however many there are."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.cell = nn.GRUCell(2, width)
        self.head = nn.Linear(width, 2)

    @torch.no_grad()
    def forward(self, frames):
        h = torch.zeros(1, 3)
        for t in range(frames.shape[0]):
            h = self.cell(frames[t], h)  # one frame
        return self.head(h)


dynamic_shapes = {"frames": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(4, 1, 2),)
model = Net()
inputs = [(torch.linspace(-1, 1, 2 * n).view(n, 1, 2),) for n in (4, 2, 7)]
# mended: EDB303
