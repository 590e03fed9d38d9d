"""A temperature that comes in as a tensor, on a scale of logarithms."""

import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, temperature: torch.Tensor, step):
        scale = math.log(temperature) + 1.0
        decay = math.exp(-step.item() / 10)
        spread = math.sqrt(x.pow(2).mean())
        return (x * scale) * decay / (spread + 1e-5)


x = torch.linspace(-2, 2, 6).view(2, 3)
inputs = [(x, torch.tensor(2.0), torch.tensor(5)), (x.flip(0) * 3, torch.tensor([0.25]), torch.tensor(0))]
# mended: EDB203
