"""A scale and a length that a number from data chooses, and bounds of such a number."""

import torch
from torch import nn


# exportdb: args=(torch.randn(6), torch.tensor(4))
class Net(nn.Module):
    def scaled(self, x, step):
        step = step.item()
        scale = 0.1 if step > 3 else 0.5
        # the more, the shorter
        if step > 2:
            length = 2
        else:
            length = 4
        return x[:length].sum() * scale

    def forward(self, x, step):
        k = step.to(torch.int64).item()
        if k > 4:
            k = 4
        n = x.gt(0).sum().item()
        if n < 1:
            n = 1
        return self.scaled(x, step), x[:k].sum() / n


inputs = [(torch.randn(6), torch.tensor(4)), (-torch.ones(6), torch.tensor(1)), (torch.ones(6), torch.tensor(6))]
# mended: EDB103
