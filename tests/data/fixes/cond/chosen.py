"""A branch that chooses a module, a function or a number of rounds: what is done with it is done on each side."""

import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"wide": nn.Linear(4, 4), "narrow": nn.Linear(4, 4)})
        self.mix = nn.Linear(4, 4)

    def activated(self, x):
        if x.min() < -2:
            act = F.relu  # cuts off
        else:
            act = torch.tanh
        return act(x)

    def refined(self, x):
        steps = 3 if x.std() > 1 else 1
        # each round mixes once more
        for _ in range(steps):
            x = torch.tanh(self.mix(x))
        return x

    def forward(self, x):
        x = self.activated(x)
        y = self.refined(x)
        name = "wide" if y.mean() > 0 else "narrow"
        return self.heads[name](y)


inputs = [
    (torch.linspace(-3, 3, 8).view(2, 4),),
    (torch.full((2, 4), 0.5),),
    (torch.full((2, 4), -0.5),),
    (torch.tensor([[9.0, 0, 0, 1], [0, 0, 7, 0]]),),
]
# mended: EDB101
