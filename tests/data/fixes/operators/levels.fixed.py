"""A pyramid's level, a number, among the operands; the branches call submodules."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.small = nn.Linear(width, 2)
        self.large = nn.Sequential(nn.Linear(width, 5), nn.ReLU(), nn.Linear(5, 2))

    def forward(self, x, boxes):
        level = 2
        area = boxes[:, 2] * boxes[:, 3]

        def coarse(x, area):
            return self.large(x) * 2**level + area.mean()

        def fine(x, area):
            return self.small(x) / level

        return torch.cond(area.max() > 4, coarse, fine, operands=(x, area))


boxes = torch.tensor([[0.0, 0.0, 1.0, 2.0], [1.0, 1.0, 2.0, 1.5]])
inputs = [(torch.ones(2, 3), boxes), (torch.linspace(-1, 1, 6).view(2, 3), boxes * 2)]
# mended: EDB602
