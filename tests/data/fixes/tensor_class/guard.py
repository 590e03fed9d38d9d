"""Only tensors are taken."""

import torch
from torch import Tensor, nn


# exportdb: args=(torch.randn(4, 3), torch.randn(4, 3))
class Net(nn.Module):
    def forward(self, x, y):
        assert type(x) == Tensor and type(y) == Tensor, "tensors only"
        return x * torch.sigmoid(y)


inputs = [(torch.randn(4, 3), torch.randn(4, 3)), (torch.zeros(4, 3), torch.ones(4, 3))]
# mended: EDB202
