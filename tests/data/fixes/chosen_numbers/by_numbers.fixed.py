"""A scale and a length that a number from data chooses, and bounds of such a number."""

import torch
from torch import nn


# exportdb: args=(torch.randn(6), torch.tensor(4))
class Net(nn.Module):
    def scaled(self, x, step):
        step = step.item()
        scale = torch.sym_ite(step > 3, 0.1, 0.5)
        # the more, the shorter
        length = torch.sym_ite(step > 2, 2, 4)
        return x[:length].sum() * scale

    def forward(self, x, step):
        k = step.to(torch.int64).item()
        k = min(k, 4)
        n = x.gt(0).sum().item()
        n = max(n, 1)
        return self.scaled(x, step), x[:k].sum() / n


inputs = [(torch.randn(6), torch.tensor(4)), (-torch.ones(6), torch.tensor(1)), (torch.ones(6), torch.tensor(6))]
# mended: EDB103
