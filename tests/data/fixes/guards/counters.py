"""Numbers that nothing but a guard asks for go with it; what is read elsewhere, or does more than to count, stays."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x, mask, index):
        mask = mask & (x[:, 0] > -1)
        total = mask.sum()
        count = total.item()
        if count > 0:
            x = x.masked_fill(mask[:, None], 0.0)
        # The number of rows is used again.
        size = index.numel()
        if size > 0:
            x = x.index_fill(0, index, 1.0)
        some = mask.any()
        if some:
            x = x.masked_fill(mask[:, None], -1.0)
        return self.layer(x) * size


example_args = (torch.randn(3, 2), torch.tensor([True, False, True]), torch.tensor([1]))
model = Net()
inputs = [
    (torch.randn(3, 2), torch.tensor([True, False, True]), torch.tensor([1])),
    (torch.randn(3, 2), torch.tensor([False, False, False]), torch.tensor([0])),
]
# mended: EDB101 EDB103
