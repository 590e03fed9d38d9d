"""A softmax by hand."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 2)

    def forward(self, x):
        a = x.numpy()
        e = np.exp(a - np.max(a, axis=-1, keepdims=True))
        p = e / np.sum(e, axis=-1, keepdims=True)
        return self.lin(torch.from_numpy(p))


inputs = [(torch.arange(6.0).view(2, 3),), (-torch.arange(6.0).view(2, 3),)]
# mended: EDB204
