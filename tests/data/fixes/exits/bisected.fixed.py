"""A threshold is looked for by halving, until it is met; how many halvings it took is told."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, rounds=3):
        super().__init__()
        self.rounds = rounds
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, z):
        z = z * self.scale
        low, high = z.max() - 1, z.max() * 1.0
        taken = 0
        done = low.new_zeros((), dtype=torch.bool)
        taken = torch.full((), 0)
        for _ in range(self.rounds):
            def true_branch(done, low, high, z, taken):
                taken = taken.clone()
                middle = (low + high) / 2
                over = (z - middle).clamp(min=0).sum() - 1
                low = torch.where(over > 0, middle, low)
                high = torch.where(over > 0, high, torch.where(over < 0, middle, high))
                done = torch.where(over > 0, done, torch.where(over < 0, done, torch.ones_like(done)))

                def true_branch_2(taken):
                    taken = taken.clone()
                    taken += 1
                    return taken

                def false_branch_2(taken):
                    return taken.clone()

                taken = torch.cond(~done, true_branch_2, false_branch_2, (taken,))
                return done.float(), low, high, taken.double()

            def false_branch(done, low, high, z, taken):
                return done.float(), low.clone(), high.clone(), taken.double()

            done, low, high, taken = torch.cond(~done, true_branch, false_branch, (done, low, high.clone(), z, taken))
            done = done.bool()
            taken = taken.long()
        taken = taken.item()
        return (z - (low + high) / 2).clamp(min=0), taken


model = Net()
inputs = [(torch.tensor(values),) for values in ([0.1, 0.9, 0.4], [2.0, 0.0, 0.0], [0.5, 0.5, 0.5], [1.5, 1.5, 0.0], [1.0, 1.0, -9.0])]
# mended: EDB101
