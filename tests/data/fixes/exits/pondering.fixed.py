"""A model that refines until it is sure, and counts in Python how many steps that took."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, steps=3):
        super().__init__()
        self.steps = steps
        self.refine = nn.Linear(4, 4)
        self.sure = nn.Linear(4, 1)

    def forward(self, x):
        taken = x.new_zeros((), dtype=torch.int64)
        cost = x.new_zeros(())
        done = x.new_zeros((), dtype=torch.bool)
        for _ in range(self.steps):
            def true_branch(done, x, taken, cost):
                x = torch.tanh(self.refine(x))
                taken = taken + 1
                p = self.sure(x).sigmoid().mean()
                cost = cost + (1 - p)
                # enough is enough
                done = p > 0.5
                return done.float(), x, taken.double(), cost

            def false_branch(done, x, taken, cost):
                return done.float(), x.clone(), taken.double(), cost.clone()

            done, x, taken, cost = torch.cond(
                ~done, true_branch, false_branch, (done, x, taken, cost)
            )
            done = done.bool()
            taken = taken.long()
        return x, cost / taken


inputs = [(torch.linspace(-2, 3, 8).view(2, 4) * scale,) for scale in (1.0, 40.0, -40.0)]
# mended: EDB101
