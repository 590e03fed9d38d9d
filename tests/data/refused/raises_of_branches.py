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
        if kind == 0:
            return self.encoder(x)
        if kind == 1:
            # the second
            return self.decoder(x)
        raise ValueError(f"unknown kind {kind}")

    def scaled(self, x, mode):
        level = mode.item()
        if level < 2:
            y = x * 2
        elif level == 5:
            y = -x
        else:
            raise RuntimeError("no such level")
        return y.relu()

    def forward(self, x, kind: torch.Tensor, mode):
        if x.isfinite().all():
            x = x.clamp(-3, 3)
        else:
            raise ValueError("not finite")
        return self.scaled(self.routed(x, kind), mode)


inputs = [
    (torch.linspace(-4, 4, 8).view(2, 4), torch.tensor(0), torch.tensor(1)),
    (torch.ones(2, 4), torch.tensor(1), torch.tensor(5)),
    (torch.ones(2, 4), torch.tensor(2), torch.tensor(1)),
    (torch.ones(2, 4), torch.tensor(0), torch.tensor(3)),
    (torch.full((2, 4), torch.inf), torch.tensor(0), torch.tensor(0)),
]
# refused: 15 side-effect, 17 side-effect, 26 shared-line, 33 side-effect
