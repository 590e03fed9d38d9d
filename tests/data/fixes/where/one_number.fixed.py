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
        z = torch.where(scale < 1, z.mul(scale), z)
        z = torch.where(x.quantile(0.5) > 0.5, z + 1, z)
        z = torch.where(self.distance(x, y) > 0.1, z * 2, z)
        z = torch.where(torch.einsum("ij,ij->", x, y) > 4, z - x, z)
        z = torch.where(torch.std_mean(x)[1] > 0.5, -z, z)
        z = torch.where(y.aminmax().max - y.aminmax().min > 0.9, z / 2, z)
        return z


inputs = [
    (torch.rand(4, 4), torch.rand(4, 4)),
    (torch.zeros(4, 4), torch.ones(4, 4)),
    (torch.eye(4), torch.eye(4)),
]
# mended: EDB101
