"""Channels that are shuffled, and put back in order with the order that numpy sorted."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.back = np.argsort(np.random.RandomState(0).permutation(4))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)[:, torch.tensor(self.back).long()]


inputs = [(torch.randn(2, 4),), (torch.ones(2, 4),)]
# mended: EDB210
