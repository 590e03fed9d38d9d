"""One tensor, or several in a list."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3), [torch.randn(4, 3), torch.randn(4, 3)])
class Net(nn.Module):
    def total(self, features):
        if type(features) is torch.Tensor:
            return features
        return torch.stack(features).sum(0)

    def forward(self, x, others):
        return self.total(x) + self.total(others)


inputs = [
    (torch.randn(4, 3), [torch.randn(4, 3), torch.randn(4, 3)]),
    (torch.zeros(4, 3), [torch.ones(4, 3), torch.ones(4, 3)]),
]
# mended: EDB202
