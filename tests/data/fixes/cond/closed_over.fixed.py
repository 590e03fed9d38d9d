"""A number from data that both branches close over, where a tensor does as well."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, sizes):
        largest = sizes.max().detach()  # of this batch

        def near(x):
            return x / largest

        def far(x):
            return x * 2 + largest

        return torch.cond(x.sum() > 0, near, far, (x,))


inputs = [(torch.ones(3) * s, torch.tensor([2.0, 4.0])) for s in (1.0, -1.0)]
# mended: EDB602
