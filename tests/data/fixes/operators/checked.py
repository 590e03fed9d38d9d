"""A branch that only raises."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        def bad(x):
            raise ValueError("too small")

        def good(x):
            return x.sqrt()

        y = torch.cond((x < 0).any(), bad, good, (x,))
        return y + 1


inputs = [(torch.ones(3),)]
# mended: EDB604
