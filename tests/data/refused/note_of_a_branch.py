"""The functions of torch.cond note which way was taken, for whoever looks at the model."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.near = nn.Linear(4, 4)
        self.way = None

    def forward(self, x):
        def near(x):
            self.way = "near"
            return self.near(x)

        def far(x):
            self.way = "far"
            return x.tanh()

        # the norm decides
        y = torch.cond(x.norm() < 3, near, far, (x,))
        return y * 2


inputs = [(torch.ones(2, 4),), (torch.ones(2, 4) * 9,)]
# refused: 23 side-effect
