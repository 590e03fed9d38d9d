"""Numbers that are read from tensors for a test only, and predicates of one element."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.tensor(2))
        self.register_buffer("k", torch.zeros(1))

    def forward(self, x, t, u: torch.Tensor):
        x = torch.where(self.n > 1, x / 2, x)

        def true_branch(x):
            x = x + 1
            return x

        def false_branch(x):
            return x.clone()

        x = torch.cond(
            (0 < self.n.item()) & (self.n.item() < t.item()),
            true_branch,
            false_branch,
            (x,),
        )
        x = torch.where(x.any() & (self.n != 2), x + 2, x)
        x = torch.where((t > -1).reshape(()), x - 3, x)
        # a buffer of one element
        x = torch.where((self.k < x.shape[0]).reshape(()), x * 3, x)
        x = torch.where((u != 0).reshape(()), x.sin(), x)
        # the guard has made sure that there is a maximum
        x = torch.where(x.max() > 1, x / x.max(), x)
        peak = x.abs().max()
        return torch.where(peak > 0.5, x * 7, x)


inputs = [
    (torch.arange(6.0).reshape(2, 3) * a, torch.tensor(b), torch.tensor([c]))
    for a, b, c in ((1, 2, 0), (-1, -1, 1), (0.01, 3, 0), (0, 5, 1))
]
# mended: EDB101 EDB103 EDB105
