"""Conditional expressions: an assignment, an operand, a chain, an argument."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(3, 3)

    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: self.up(x), lambda x: x.clone(), (x,))
        y = y + (
            torch.cond(
                x.max() > 1,
                lambda x: x.cos(),
                lambda x: torch.cond(
                    x.min() < -1, lambda x: x.sin(), lambda x: -x, (x,)
                ),
                (x,),
            )
        )
        return torch.relu(
            torch.cond(y.any(), lambda y: y.clone(), lambda y: y + 1, (y,))
        )


inputs = [(torch.ones(2, 3) * s,) for s in (0.5, -0.5, 2.0, -2.0, 0.0)]
# mended: EDB101
