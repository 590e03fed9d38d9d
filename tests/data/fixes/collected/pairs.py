"""A loss of each pair, as far as there are pairs, and how much each position counts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.project = nn.Linear(width, width)
        self.weight = nn.Parameter(torch.linspace(0.5, 2, 16))

    def forward(self, preds, targets):
        losses = []
        for i, (pred, target) in enumerate(zip(preds, targets, strict=False)):
            # The farther back, the more it counts.
            diff = self.project(pred) - target
            losses.append((diff**2).mean() * self.weight[i] + i * diff.abs().max())
        losses = torch.stack(losses)
        return losses.mean(), torch.stack([(p * t).sum() for p, t in zip(preds, targets, strict=False)])


dynamic_shapes = {"preds": {0: torch.export.Dim.DYNAMIC}, "targets": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(3, 4), torch.ones(3, 4))
model = Net()
inputs = [
    (torch.linspace(-2, 2, 4 * n).view(n, 4).sin(), torch.linspace(-1, 3, 4 * m).view(m, 4).cos())
    for n, m in ((3, 3), (2, 5), (7, 4), (2, 2))
]
# mended: EDB303
