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
        def true_branch(x):
            act = F.relu  # cuts off
            return act(x)

        def false_branch(x):
            act = torch.tanh
            return act(x)

        return torch.cond(x.min() < -2, true_branch, false_branch, (x,))

    def refined(self, x):
        def rest(x, steps):
            # each round mixes once more
            for _ in range(steps):
                x = torch.tanh(self.mix(x))
            return x

        def true_branch(x):
            steps = 3
            return rest(x, steps).clone()

        def false_branch(x):
            steps = 1
            return rest(x, steps).clone()

        return torch.cond(x.std() > 1, true_branch, false_branch, (x,))

    def forward(self, x):
        x = self.activated(x)
        y = self.refined(x)

        def true_branch(y):
            name = "wide"
            return self.heads[name](y)

        def false_branch(y):
            name = "narrow"
            return self.heads[name](y)

        return torch.cond(y.mean() > 0, true_branch, false_branch, (y,))


inputs = [
    (torch.linspace(-3, 3, 8).view(2, 4),),
    (torch.full((2, 4), 0.5),),
    (torch.full((2, 4), -0.5),),
    (torch.tensor([[9.0, 0, 0, 1], [0, 0, 7, 0]]),),
]
# mended: EDB101
