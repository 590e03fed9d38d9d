"""Statistics that are adapted at test time, for inputs that are far from those seen."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(3, 4)
        self.norm = nn.BatchNorm1d(4)

    def train(self, mode=True):
        return super().train(True)

    def forward(self, x):
        h = self.encode(x)

        def adapted(h):
            # as in training
            normal = self.norm(h * 2)
            return normal.relu()

        def plain(h):
            return h.relu()

        y = torch.cond(h.mean() > 0, adapted, plain, (h,))
        return y + self.norm.running_mean


inputs = [(torch.ones(5, 3) * s + torch.randn(5, 3) * 0.1,) for s in (2.0, -2.0, 3.0, -1.0)]
model = Net()
# mended: EDB604
