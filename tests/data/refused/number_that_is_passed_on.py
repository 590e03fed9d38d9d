"""The range of what was seen, which begins with infinities, and a scale that is doubled now and then."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, scale=4.0, every=3):
        super().__init__()
        self.low = float("inf")
        self.high = -float("inf")
        self.scale = scale
        self.every = every
        self.good = 0

    def forward(self, x):
        self.low = torch.minimum(torch.as_tensor(self.low), x.min())
        self.high = torch.maximum(torch.as_tensor(self.high), x.max())
        y = (x - self.low) / (self.high - self.low + 1) * self.scale
        self.good += 1
        if self.good >= self.every:
            self.scale *= 2
            self.good = 0
        return y


inputs = [(torch.randn(2, 4) * i,) for i in range(1, 8)]
# refused: 17 python-number, 18 python-number, 20 export-would-fail, 23 export-would-fail
