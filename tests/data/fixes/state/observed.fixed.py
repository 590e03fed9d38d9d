"""The range of what was seen, which begins with infinities, and a scale that is doubled now and then."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, scale=4.0, every=3):
        super().__init__()
        self.register_buffer("low", torch.tensor(float("inf")), persistent=False)
        self.register_buffer("high", torch.tensor(-float("inf")), persistent=False)
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float64), persistent=False)
        self.every = every
        self.register_buffer("good", torch.tensor(0), persistent=False)

    def forward(self, x):
        self.low.copy_(torch.minimum(torch.as_tensor(self.low), x.min()))
        self.high.copy_(torch.maximum(torch.as_tensor(self.high), x.max()))
        y = (x - self.low) / (self.high - self.low + 1) * self.scale
        self.good += 1

        def true_branch():
            scale_2 = self.scale.clone()
            good = self.good.clone()
            scale_2 *= 2
            good.fill_(0)
            return scale_2, good

        def false_branch():
            return self.scale.clone(), self.good.clone()

        scale_2, good = torch.cond(self.good >= self.every, true_branch, false_branch)
        self.scale.copy_(scale_2.detach())
        self.good.copy_(good)
        return y


inputs = [(torch.randn(2, 4) * i,) for i in range(1, 8)]
# mended: EDB101 EDB401
