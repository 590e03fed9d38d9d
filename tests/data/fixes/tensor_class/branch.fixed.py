"""Something other than a tensor is made one first."""

import torch
from torch import nn


# exportdb: args=(torch.randn(4, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        # Lists come from the command line.
        if not isinstance(x, torch.Tensor):
            x = torch.tensor(x)
        return self.linear(x)


inputs = [(torch.randn(4, 3),), (torch.zeros(4, 3),)]
# mended: EDB202
