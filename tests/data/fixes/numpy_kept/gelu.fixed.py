"""The approximation of GELU with its constant in the file, as early transformers had it."""

import numpy as np
import torch
from torch import nn

ROOT = float(np.sqrt(2 / np.pi))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        x = self.layer(x)
        return 0.5 * x * (1 + torch.tanh(ROOT * (x + 0.044715 * x**3)))


inputs = [(torch.randn(2, 4),), (-torch.ones(2, 4),)]
# mended: EDB210
