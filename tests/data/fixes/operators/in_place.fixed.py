"""A branch that writes its operand, which nobody sees again."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        h = x * 2

        def positive(h):
            h = h.clone()
            h.add_(1)
            return h.sin()

        def negative(h):
            return h.cos()

        return torch.cond(x.mean() > 0, positive, negative, (h,))


inputs = [(torch.ones(3),), (-torch.ones(3),)]
# mended: EDB604
