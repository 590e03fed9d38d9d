"""Warnings beside the work that they are about."""

import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


# exportdb: args=(torch.randn(3, 4), torch.tensor([True, False, True]))
class Net(nn.Module):
    def forward(self, x, mask):
        x = x.clone()
        # Rows that are left out.
        if not torch.compiler.is_exporting() and mask.any():
            logger.warning("%d rows", mask.sum())
        x[mask] = 0.0
        if not torch.compiler.is_exporting() and torch.isnan(x).any():
            print("NaN")

        def true_branch(x):
            x = torch.nan_to_num(x)
            return x

        def false_branch(x):
            return x.clone()

        x = torch.cond(torch.isnan(x).any(), true_branch, false_branch, (x,))
        if not torch.compiler.is_exporting() and x.sum() > 3:
            print("sorted")

        def true_branch_2(x):
            y = x.cumsum(0).sort(dim=0).values
            return y

        def false_branch_2(x):
            y = x.sin()
            return y

        y = torch.cond(x.sum() > 3, true_branch_2, false_branch_2, (x,))
        if not torch.compiler.is_exporting() and not mask.any():
            print("nothing")
        y[mask] = y[mask] * 2
        return y


inputs = [
    (torch.ones(3, 4), torch.tensor([True, False, True])),
    (torch.ones(3, 4), torch.tensor([False, False, False])),
    (-torch.ones(3, 4), torch.tensor([True, False, False])),
    (torch.full((3, 4), float("nan")), torch.tensor([False, False, True])),
]
# mended: EDB101
