"""Features, or a pair of them and their weights."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        # Weights come with the pair.
        if not isinstance(x, torch.Tensor):
            features, weights = x
            x = features * weights
        return self.linear(x)


inputs = [(torch.randn(4, 3),), (torch.zeros(4, 3),)]
# mended: EDB202
