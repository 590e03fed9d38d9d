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
        if mask.any():
            logger.warning("%d rows", mask.sum())
            x[mask] = 0.0
        if torch.isnan(x).any():
            print("NaN")
            x = torch.nan_to_num(x)
        if x.sum() > 3:
            y = x.cumsum(0).sort(dim=0).values
            print("sorted")
        else:
            y = x.sin()
        if not mask.any():
            print("nothing")
            return y
        y[mask] = y[mask] * 2
        return y


inputs = [
    (torch.ones(3, 4), torch.tensor([True, False, True])),
    (torch.ones(3, 4), torch.tensor([False, False, False])),
    (-torch.ones(3, 4), torch.tensor([True, False, False])),
    (torch.full((3, 4), float("nan")), torch.tensor([False, False, True])),
]
# mended: EDB101
