"""A rotation from its axis and angle: without an angle it is the identity."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, rotation):
        return self.turned(rotation) @ x

    def turned(self, r):
        angle = torch.linalg.norm(r)
        if angle < 1e-6:
            return torch.eye(3)
        k = r / angle
        cross = torch.stack([torch.zeros(()), -k[2], k[1], k[2], torch.zeros(()), -k[0], -k[1], k[0], torch.zeros(())])
        cross = cross.view(3, 3)
        return torch.eye(3) + angle.sin() * cross + (1 - angle.cos()) * (cross @ cross)


model = Net()
example_args = (torch.randn(3), torch.randn(3))
inputs = [example_args, (torch.ones(3), torch.zeros(3)), (torch.randn(3), torch.ones(3))]
# mended: EDB101
