"""A linear fit inside the model: the line through the points of each window, and a step of each number by itself."""

import math

import torch
from torch import nn


def squash(value):
    """What Python does with one number."""
    return math.tanh(value) if -2 < value <= 2 else max(min(value, 3), -3) / 4


# exportdb: args=(torch.ones(5, 2), torch.ones(5, 1))
class Net(nn.Module):
    def __init__(self, length=5):
        super().__init__()
        time = torch.arange(float(length))
        self.register_buffer("design", torch.stack([time, torch.ones(length)], 1))

    def forward(self, x, y):
        line = torch.linalg.pinv(x) @ y
        steps = torch.where(
            (-2 < y.double()) & (y.double() <= 2),
            torch.tanh(y.double()),
            torch.where(
                -3 > torch.where(3 < y.double(), 3, y.double()), -3, torch.where(3 < y.double(), 3, y.double())
            ) / 4,
        ).to(y.dtype)
        signs = torch.where(y.detach().double() > 0.1, y.detach().double().new_full((), 1.0), 0.2).to(y.dtype)
        steps.copy_((steps.double() - signs.double()) * 2 + signs.double())
        return x @ line, steps, signs


inputs = [
    (torch.linspace(-1, 1, 10).view(5, 2).sin(), torch.linspace(-4, 4, 5).view(5, 1)),
    (torch.linspace(3, -1, 10).view(5, 2).cos(), torch.linspace(2, -2, 5).view(5, 1)),
]
# mended: EDB209
