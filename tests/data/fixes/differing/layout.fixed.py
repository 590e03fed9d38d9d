"""Two ways to the same shape that lie differently in memory."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        x = self.mix(x)
        mixed = torch.cond(
            x.trace() > 0,
            lambda x: (x * 2).t().contiguous(),
            lambda x: x.sin().contiguous(),
            (x,),
        )
        return mixed @ x


inputs = [(torch.eye(3) * k + 0.5,) for k in (2.0, -2.0, 6.0, -6.0)]
# mended: EDB603
