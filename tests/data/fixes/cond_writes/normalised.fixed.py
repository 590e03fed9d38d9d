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
            mean = self.norm.running_mean.clone()
            variance = self.norm.running_var.clone()
            tracked = self.norm.num_batches_tracked.clone()
            # as in training
            normal = torch.nn.functional.batch_norm(
                h * 2,
                mean,
                variance,
                self.norm.weight,
                self.norm.bias,
                self.norm.training,
                self.norm.momentum,
                self.norm.eps,
            )
            tracked += int(self.norm.training)
            return normal.relu(), mean, variance, tracked

        def plain(h):
            return h.relu(), self.norm.running_mean.clone(), self.norm.running_var.clone(), self.norm.num_batches_tracked.clone()

        y, mean, variance, tracked = torch.cond(h.mean() > 0, adapted, plain, (h,))
        self.norm.running_mean.copy_(mean.detach())
        self.norm.running_var.copy_(variance.detach())
        self.norm.num_batches_tracked.copy_(tracked)
        return y + self.norm.running_mean


inputs = [(torch.ones(5, 3) * s + torch.randn(5, 3) * 0.1,) for s in (2.0, -2.0, 3.0, -1.0)]
model = Net()
# mended: EDB604
