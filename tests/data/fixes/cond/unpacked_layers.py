"""One of two layers, which the constructor makes in one statement."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 4), torch.tensor(True))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        size, hidden = 4, 8
        self.wide, self.narrow = nn.Linear(size, hidden), nn.Linear(size, hidden, bias=False)

    def forward(self, x, wide):
        if wide:
            x = self.wide(x)
        else:
            x = self.narrow(x)
        return x.relu()


inputs = [(torch.randn(2, 4), torch.tensor(True)), (torch.randn(2, 4), torch.tensor(False))]
# mended: EDB101
