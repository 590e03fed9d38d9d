"""A loss of each pair, as far as there are pairs, and how much each position counts."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.project = nn.Linear(width, width)
        self.weight = nn.Parameter(torch.linspace(0.5, 2, 16))

    def forward(self, preds, targets):
        rounds = torch.sym_min(preds.shape[0], targets.shape[0])

        def each(rows):
            i, pred, target = rows
            # The farther back, the more it counts.
            diff = self.project(pred) - target
            return (diff**2).mean() * self.weight[i.reshape(1)].squeeze(0) + i * diff.abs().max()

        losses = torch._higher_order_ops.map(
            each, (torch.arange(rounds, device=preds.device), preds[:rounds], targets[:rounds])
        )
        rounds_2 = torch.sym_min(preds.shape[0], targets.shape[0])
        return losses.mean(), torch.vmap(lambda p, t: (p * t).sum())(
            preds[:rounds_2], targets[:rounds_2]
        )


dynamic_shapes = {"preds": {0: torch.export.Dim.DYNAMIC}, "targets": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.ones(3, 4), torch.ones(3, 4))
model = Net()
inputs = [
    (torch.linspace(-2, 2, 4 * n).view(n, 4).sin(), torch.linspace(-1, 3, 4 * m).view(m, 4).cos())
    for n, m in ((3, 3), (2, 5), (7, 4), (2, 2))
]
# mended: EDB303
