"""Parameters that the first batch fills, as in activation normalisation; a flag of Python says that they are."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.ready = False

    def forward(self, x):
        if not self.ready:
            # as if it were whitened
            with torch.no_grad():
                self.bias.copy_(-x.mean(0))
                self.scale.copy_(1 / (x.std(0) + 1e-3))
            self.ready = True
        return (x + self.bias) * self.scale


inputs = [(torch.randn(5, 4) * i + i,) for i in range(1, 4)]
# mended: EDB101 EDB401
