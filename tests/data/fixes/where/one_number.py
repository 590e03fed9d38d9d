"""Conditions on reductions of all numbers, of which each is one number."""

import torch
from torch import nn


# exportdb: args=(torch.rand(4, 4), torch.rand(4, 4))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.distance = nn.MSELoss()

    def forward(self, x, y):
        z = self.project(x)
        scale = 1.0 / (torch.linalg.vector_norm(z) + 1e-6)
        if scale < 1:
            z = z.mul(scale)
        if x.quantile(0.5) > 0.5:
            z = z + 1
        if self.distance(x, y) > 0.1:
            z = z * 2
        if torch.einsum("ij,ij->", x, y) > 4:
            z = z - x
        if torch.std_mean(x)[1] > 0.5:
            z = -z
        if y.aminmax().max - y.aminmax().min > 0.9:
            z = z / 2
        return z


inputs = [
    (torch.rand(4, 4), torch.rand(4, 4)),
    (torch.zeros(4, 4), torch.ones(4, 4)),
    (torch.eye(4), torch.eye(4)),
]
# mended: EDB101
