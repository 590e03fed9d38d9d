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

        rounds = torch.tensor(frames.shape[0])

        def keep_going(t, h):
            return t < rounds

        def step(t, h):
            h = self.cell(frames[t.reshape(1)].squeeze(0), h)  # one frame
            return t + 1, h

        t, h = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.zeros_like(rounds), h)
        )
        return self.head(h)


dynamic_shapes = {"frames": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(4, 1, 2),)
model = Net()
inputs = [(torch.linspace(-1, 1, 2 * n).view(n, 1, 2),) for n in (4, 2, 7)]
# mended: EDB303
