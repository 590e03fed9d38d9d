"""A branch that changes a copy of what it was given, and binds the name to it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 3)

    def forward(self, scores, mask):
        empty = ~mask.any(-1)
        if empty.any():
            # a row of its own may be attended to
            mask = mask.clone()
            mask[:, 0] = True
        scores = scores.masked_fill(~mask, -1e4)
        return self.out(scores.softmax(-1)), mask


inputs = [
    (torch.linspace(-1, 1, 8).view(2, 4), torch.tensor(mask))
    for mask in (
        [[True, True, False, False], [True, False, True, True]],
        [[False, False, False, False], [True, False, True, True]],
    )
]
example_args = inputs[0]
# mended: EDB101
