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
        def true_branch(x):
            x = self.wide(x)
            return x

        def false_branch(x):
            x = self.narrow(x)
            return x

        x = torch.cond(wide, true_branch, false_branch, (x,))
        return x.relu()


inputs = [(torch.randn(2, 4), torch.tensor(True)), (torch.randn(2, 4), torch.tensor(False))]
# mended: EDB101
