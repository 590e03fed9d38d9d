"""A missing else, an augmented assignment to an intermediate, in-place writes, and a flag that Python knows."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, centre=True):
        super().__init__()
        self.centre = centre
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x, mask):
        out = x * self.weight

        def true_branch(out):
            out = out.clone()
            out -= out.mean()
            return out

        def false_branch(out):
            return out.clone()

        if self.centre:
            out = torch.cond(out.mean() > 0.5, true_branch, false_branch, (out,))
        else:
            out = false_branch(out)

        def true_branch_2(out):
            out = out.clone()
            out[0] = 0.0
            out.mul_(2)
            return out

        def false_branch_2(out):
            return out.clone()

        out = torch.cond(~mask.any(), true_branch_2, false_branch_2, (out,))
        return out


inputs = [
    (torch.ones(3, 4), torch.tensor([True, False, True])),
    (torch.ones(3, 4), torch.tensor([False, False, False])),
    (-torch.ones(3, 4), torch.tensor([False, True, False])),
    (-torch.ones(3, 4), torch.tensor([False, False, False])),
]
# mended: EDB101
