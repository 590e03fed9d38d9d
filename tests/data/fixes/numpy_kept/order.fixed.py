"""Channels that are shuffled, and put back in order with the order that numpy sorted."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer(
            "back",
            torch.as_tensor(np.argsort(np.random.RandomState(0).permutation(4))),
            persistent=False,
        )
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)[:, self.back.long()]


inputs = [(torch.randn(2, 4),), (torch.ones(2, 4),)]
# mended: EDB210
