"""A tuple of `.data`, and one that is returned: shared storage, so the fix is not safe, but right."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(3, 3)

    def forward(self, x):
        out = self.student(x)
        target, source = out.detach(), x.detach()
        return out - target, (target + source).detach()


inputs = [(torch.randn(5, 3),), (torch.ones(5, 3),)]
# mended: EDB201
