"""Numbers that are read from tensors for a test only, and predicates of one element."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.tensor(2))
        self.register_buffer("k", torch.zeros(1))

    def forward(self, x, t, u: torch.Tensor):
        if self.n.item() > 1:
            x = x / 2
        if 0 < self.n.item() < t.item():
            x = x + 1
        if x.any() and self.n.item() != 2:
            x = x + 2
        if t.item() > -1:
            x = x - 3
        # a buffer of one element
        if self.k < x.shape[0]:
            x = x * 3
        if torch.is_nonzero(u):
            x = x.sin()
        # the guard has made sure that there is a maximum
        if x.max() > 1:
            x = x / x.max()
        peak = x.abs().max().item()
        if peak > 0.5:
            return x * 7
        return x


inputs = [
    (torch.arange(6.0).reshape(2, 3) * a, torch.tensor(b), torch.tensor([c]))
    for a, b, c in ((1, 2, 0), (-1, -1, 1), (0.01, 3, 0), (0, 5, 1))
]
# mended: EDB101 EDB103 EDB105
