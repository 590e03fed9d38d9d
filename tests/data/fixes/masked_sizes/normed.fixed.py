"""Embeddings of the points that are kept, normalised, and a layer that runs over the frames that are voiced."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(2, 3)
        self.norm = nn.BatchNorm1d(3)
        self.frames = nn.GRU(2, 3)

    def forward(self, x, keep):
        kept = self.embed(x)[keep]
        count = torch.scalar_tensor(kept.shape[0], device=kept.device)
        if self.norm.training:
            mean, variance = kept.mean(0), kept.var(0, correction=0)
            with torch.no_grad():
                self.norm.num_batches_tracked.add_(1)
                torch._assert_async(count != 1, "expected more than 1 value per channel when training")
                moved = torch.lerp(self.norm.running_mean, mean, self.norm.momentum)
                self.norm.running_mean.copy_(torch.where(count > 0, moved, self.norm.running_mean))
                moved = torch.lerp(self.norm.running_var, kept.var(0), self.norm.momentum)
                self.norm.running_var.copy_(torch.where(count > 0, moved, self.norm.running_var))
        else:
            mean, variance = self.norm.running_mean, self.norm.running_var
        scored = ((kept - mean) * (variance + self.norm.eps).rsqrt() * self.norm.weight + self.norm.bias).relu() * 2  # in eval mode, row by row
        voiced = x.abs()
        torch._assert_async(keep.any(), "expected at least one step")
        # The steps that are kept stand in front, in their order.
        order = torch.argsort(~keep, stable=True)
        steps = self.frames(voiced[order])[0][: keep.sum().item()]
        rows = self.embed(x)[x[:, 0] > 0]
        count_2 = torch.scalar_tensor(rows.shape[0], device=rows.device)
        if self.norm.training:
            mean_2, variance_2 = rows.mean(0), rows.var(0, correction=0)
            with torch.no_grad():
                self.norm.num_batches_tracked.add_(1)
                torch._assert_async(count_2 != 1, "expected more than 1 value per channel when training")
                moved_2 = torch.lerp(self.norm.running_mean, mean_2, self.norm.momentum)
                self.norm.running_mean.copy_(torch.where(count_2 > 0, moved_2, self.norm.running_mean))
                moved_2 = torch.lerp(self.norm.running_var, rows.var(0), self.norm.momentum)
                self.norm.running_var.copy_(torch.where(count_2 > 0, moved_2, self.norm.running_var))
        else:
            mean_2, variance_2 = self.norm.running_mean, self.norm.running_var
        return scored, (rows - mean_2) * (
            variance_2 + self.norm.eps
        ).rsqrt() * self.norm.weight + self.norm.bias, steps.sum(0)


model = Net()
example_args = (torch.ones(4, 2), torch.tensor([True, True, False, True]))
inputs = [
    (torch.linspace(-1, 1, 8).view(4, 2), torch.tensor([True, True, False, True])),
    (torch.linspace(1, -2, 8).view(4, 2), torch.tensor([False, True, False, True])),
    (torch.linspace(-1, -2, 8).view(4, 2), torch.tensor([False, False, False, False])),
    (torch.linspace(1, 2, 8).view(4, 2), torch.tensor([True, True, True, True])),
]
# mended: EDB208
