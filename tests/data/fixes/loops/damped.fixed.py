"""Halve until it is small enough, then go on."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        h = self.lin(x)
        # Until it fits.
        def keep_going(h):
            return h.abs().max() > 1.0

        def step(h):  # may be large
            shrunk = h * 0.5
            h = shrunk
            return (h,)

        (h,) = torch._higher_order_ops.while_loop(keep_going, step, (h,))
        return h + x


inputs = [(torch.ones(2, 3) * s,) for s in (100.0, 0.1, -7.0)]
# mended: EDB101
