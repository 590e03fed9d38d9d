"""An early return within a branch that is decided while tracing."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, scale: bool = True):
        super().__init__()
        self.scale = scale

    def forward(self, x: torch.Tensor):
        if self.scale:
            # Loud inputs only.
            if x.sum() > 0:
                return x * 2
        return x


model = Net()
example_args = (torch.ones(3, 2),)
inputs = [example_args, (-torch.ones(3, 2),)]
# mended: EDB101
