"""A mask that must leave something in every row, in a method."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(2, 2)

    def checked(self, mask):
        torch._assert_async(mask.any(dim=-1).all(), "a row without a token")
        return mask

    def forward(self, x, mask):
        mask = self.checked(mask)
        x = x.masked_fill(~mask.unsqueeze(-1), 0.0)
        return self.proj(x).sum(1) / mask.sum(-1, keepdim=True)


x = torch.arange(12.0).view(2, 3, 2)
inputs = [
    (x, torch.tensor([[True, False, True], [True, True, True]])),
    (x, torch.tensor([[True, False, True], [False, False, False]])),
]
# mended: EDB102
