"""A branch that only raises."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):

        def good(x):
            return x.sqrt()

        torch._assert_async(~(x < 0).any(), "too small")
        y = good(x)
        return y + 1


inputs = [(torch.ones(3),)]
# mended: EDB604
