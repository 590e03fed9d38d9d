"""A filter that begins with the first sample: all that it was is kept, and what it was last."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, keep=0.9):
        super().__init__()
        self.keep = keep
        self.scale = nn.Parameter(torch.tensor([0.5, 1.0, 2.0]))

    def forward(self, x):
        state = x[:, 0] * self.scale
        states = [state]
        for t in range(1, x.shape[1]):
            state = self.keep * state + (1 - self.keep) * x[:, t].tanh()
            states.append(state)  # as they come
        return torch.stack(states, dim=1), state


dynamic_shapes = {"x": {1: torch.export.Dim("time", min=2, max=64)}}
example_args = (torch.ones(2, 5, 3),)
model = Net()
inputs = [(torch.linspace(-2, 2, 6 * n).view(2, n, 3).sin(),) for n in (5, 2, 3, 9)]
# mended: EDB303
