"""Temperatures that are looked up by how often the model was called."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=4, warm=3):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.temps = [0.04 + 0.01 * i for i in range(warm)]
        self.gains = (1, 2, 5)
        self.register_buffer("epoch", torch.tensor(0), persistent=False)

    def temperature(self):
        return torch.take(
            torch.tensor(self.temps, dtype=torch.float64, device=self.epoch.device),
            torch.clamp(self.epoch, max=len(self.temps) - 1),
        ).clone()

    def forward(self, x):
        y = self.linear(x) / self.temperature()
        gain = torch.take(
            torch.tensor(self.gains, dtype=torch.int64, device=self.epoch.device),
            self.epoch % 3,
        ).clone()
        self.epoch.copy_(self.epoch + 1)
        y = torch.where(gain > 1, y * gain, y)
        return y.softmax(-1)


inputs = [(torch.randn(2, 4),) for _ in range(6)]
# mended: EDB101 EDB401
