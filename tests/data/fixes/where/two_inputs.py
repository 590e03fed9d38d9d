"""The larger of two tensors, of which nothing but the calls says that they have one shape."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor):
        doubled = x * 2
        if y.isnan().any():
            return doubled
        return doubled if x.norm() > y.norm() else y + 1


inputs = [
    (torch.ones(3), torch.zeros(3)),
    (torch.ones(3), torch.full((3,), 9.0)),
    (torch.ones(3), torch.tensor([1.0, float("nan"), 2.0])),
]
# mended: EDB101
