"""The positions of the patches of an image, as fractions of its height and width, which a mask says."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.per_side = 4
        self.embed = nn.Embedding(16, 3)

    def forward(self, mask: torch.Tensor, grid: torch.Tensor):
        edges = torch.arange(1 / self.per_side, 1.0, 1 / self.per_side)
        step = 1.0 / mask[:, 0].sum()
        steps = torch.ceil(torch.tensor(1 - 1e-6) / step.double()).to(torch.int64).item()
        rows = torch.bucketize(torch.arange(steps) * step, edges, right=True)
        step_2 = 1 / mask[0].sum()
        steps_2 = torch.ceil((1 - 1e-6) / step_2.double()).to(torch.int64).item()
        columns = torch.bucketize(torch.arange(steps_2) * step_2, edges, right=True)
        ids = (rows[:, None] * self.per_side + columns).flatten()
        # Between the first and the last row of the table.
        steps_3 = grid[0].item()
        down = torch.arange(steps_3) * ((self.per_side - 1) / torch.sym_max(steps_3 - 1, 1))
        steps_4 = grid[1].item()
        right = -1 + torch.arange(steps_4) * (
            ((self.per_side * 0.5) - (-1)) / torch.sym_max(steps_4 - 1, 1)
        )
        steps_5 = torch.ceil((2 - 0.5) / step.double()).to(torch.int64).item()
        halves = 2 * (0.5 + torch.arange(steps_5, device=mask.device) * step)
        return self.embed(ids), down.sum(), right, halves


whole = torch.ones(4, 4, dtype=torch.bool)
part = whole.clone()
part[3:], part[:, 2:] = False, False
inputs = [(whole, torch.tensor([4, 3])), (part, torch.tensor([2, 4])), (whole, torch.tensor([1, 1]))]
# mended: EDB206
