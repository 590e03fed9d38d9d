"""The commonest case in the wild: a flag in a buffer; `or` with what Python knows; both sides needed."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, always=False):
        super().__init__()
        self.always = always
        self.register_buffer("initted", torch.Tensor([False]))
        self.register_buffer("mean", torch.zeros(3))
        self.proj = nn.Linear(3, 3)

    def embed(self, x):
        def true_branch(x):
            x = x - x.mean(dim=0)
            return x

        def false_branch(x):
            x = x - self.mean
            return x

        if self.always:
            x = true_branch(x)
        else:
            x = torch.cond(self.initted == 0, true_branch, false_branch, (x,))
        return x

    def forward(self, x):
        return self.proj(self.embed(x))


inputs = [(torch.randn(4, 3),), (torch.ones(4, 3),)]
# mended: EDB101
