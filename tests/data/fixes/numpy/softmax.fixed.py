"""A softmax by hand."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 2)

    def forward(self, x):
        a = x
        e = torch.exp(a - torch.amax(a, dim=-1, keepdim=True))
        p = e / torch.sum(e, dim=-1, keepdim=True)
        return self.lin(p)


inputs = [(torch.arange(6.0).view(2, 3),), (-torch.arange(6.0).view(2, 3),)]
# mended: EDB204
