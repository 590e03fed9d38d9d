"""A network that keeps training its normalisation, over the rows that count."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def train(self, mode=True):
        # Always in training.
        return super().train(True)

    def forward(self, x, keep):
        rows = x[keep]
        count = torch.scalar_tensor(rows.shape[0], device=rows.device)
        if self.norm.training:
            mean, variance = rows.mean(0), rows.var(0, correction=0)
            with torch.no_grad():
                self.norm.num_batches_tracked.add_(1)
                torch._assert_async(
                    count != 1, "expected more than 1 value per channel when training"
                )
                moved = torch.lerp(self.norm.running_mean, mean, self.norm.momentum)
                self.norm.running_mean.copy_(
                    torch.where(count > 0, moved, self.norm.running_mean)
                )
                moved = torch.lerp(
                    self.norm.running_var, rows.var(0), self.norm.momentum
                )
                self.norm.running_var.copy_(
                    torch.where(count > 0, moved, self.norm.running_var)
                )
        else:
            mean, variance = self.norm.running_mean, self.norm.running_var
        return (rows - mean) * (
            variance + self.norm.eps
        ).rsqrt() * self.norm.weight + self.norm.bias, self.norm.running_mean + 0, self.norm.running_var + 0


model = Net()
example_args = (torch.ones(4, 2), torch.tensor([True, True, False, True]))
inputs = [
    (torch.linspace(-1, 1, 8).view(4, 2), torch.tensor([True, True, False, True])),
    (torch.linspace(1, -2, 8).view(4, 2), torch.tensor([False, True, False, True])),
    (torch.linspace(-1, -2, 8).view(4, 2), torch.tensor([False, False, False, False])),
    (torch.linspace(-1, -2, 8).view(4, 2), torch.tensor([False, False, True, False])),
    (torch.linspace(1, 2, 8).view(4, 2).sin(), torch.tensor([True, True, True, True])),
]
# mended: EDB208
