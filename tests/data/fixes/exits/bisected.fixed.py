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

                def true_branch_2(over, low, middle, high, done):
                    low = middle
                    return low.clone(), high.clone(), done.clone()

                def false_branch_2(over, low, middle, high, done):
                    def true_branch_3(high, middle, done):
                        high = middle
                        return high.clone(), done.clone()

                    def false_branch_3(high, middle, done):
                        done = torch.ones_like(done)
                        return high.clone(), done

                    high, done = torch.cond(over < 0, true_branch_3, false_branch_3, (high, middle, done))
                    return low.clone(), high, done

                low, high, done = torch.cond(
                    over > 0, true_branch_2, false_branch_2, (over, low, middle, high.clone(), done)
                )

                def true_branch_4(taken):
                    taken = taken.clone()
                    taken += 1
                    return taken

                def false_branch_4(taken):
                    return taken.clone()

                taken = torch.cond(~done, true_branch_4, false_branch_4, (taken,))
                return done, low, high, taken

            def false_branch(done, low, high, z, taken):
                return done.clone(), low.clone(), high.clone(), taken.clone()

            done, low, high, taken = torch.cond(~done, true_branch, false_branch, (done, low, high.clone(), z, taken))
        taken = taken.item()
        return (z - (low + high) / 2).clamp(min=0), taken


model = Net()
inputs = [(torch.tensor(values),) for values in ([0.1, 0.9, 0.4], [2.0, 0.0, 0.0], [0.5, 0.5, 0.5], [1.5, 1.5, 0.0], [1.0, 1.0, -9.0])]
# mended: EDB101
