"""Raises for what none of the branches takes: in an `else`, behind the branches, and for numbers from data."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)
        self.decoder = nn.Linear(4, 4)

    def routed(self, x, kind):
        # one head for each kind
        torch._assert_async((kind == 0) | (kind == 1), "unknown kind kind")

        def true_branch(x):
            return self.encoder(x)

        def false_branch(x):
            # the second
            return self.decoder(x)

        return torch.cond(kind == 0, true_branch, false_branch, (x,))

    def scaled(self, x, mode):
        level = mode.item()
        torch._assert_scalar((level < 2) | (level == 5), "no such level")

        def true_branch(x):
            y = x * 2
            return y

        def false_branch(x):
            y = -x
            return y

        y = torch.cond(level < 2, true_branch, false_branch, (x,))
        return y.relu()

    def forward(self, x, kind: torch.Tensor, mode):
        torch._assert_async(x.isfinite().all(), "not finite")
        x = x.clamp(-3, 3)
        return self.scaled(self.routed(x, kind), mode)


inputs = [
    (torch.linspace(-4, 4, 8).view(2, 4), torch.tensor(0), torch.tensor(1)),
    (torch.ones(2, 4), torch.tensor(1), torch.tensor(5)),
    (torch.ones(2, 4), torch.tensor(2), torch.tensor(1)),
    (torch.ones(2, 4), torch.tensor(0), torch.tensor(3)),
    (torch.full((2, 4), torch.inf), torch.tensor(0), torch.tensor(0)),
]
# mended: EDB101 EDB103
