"""Layers that train, with a mask and places beside what they give: `torch.cond` has no gradient for those."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Linear(4, 4)
        self.steps = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))
        self.register_buffer("mean", torch.zeros(4))

    def masked(self, x):
        def true_branch(x):
            y = self.lift(x)
            high = y > 0
            places = y.argmax(1)
            return y, high.float(), places.double()

        def false_branch(x):
            y = x
            high = x < 0
            places = x.argmin(1)
            return y.clone(), high.float(), places.double()

        y, high, places = torch.cond(x.sum() > 0, true_branch, false_branch, (x,))
        high = high.bool()
        places = places.long()
        return y.masked_fill(high, 0.0).gather(1, places[:, None])

    def both(self, x):
        def true_branch(x):
            y = self.lift(x)
            return y, (y > 0).float()

        def false_branch(x):
            return x.clone(), (x < 0).float()

        result = torch.cond(x.mean() > 1, true_branch, false_branch, (x,))
        return result[0], result[1].bool()

    def stopped(self, x):
        done = x.new_zeros((), dtype=torch.bool)
        for step in self.steps:
            def true_branch(done, x):
                x = step(x)
                done = x.sum() > 0
                return done.float(), x

            def false_branch(done, x):
                return done.float(), x.clone()

            done, x = torch.cond(~done, true_branch, false_branch, (done, x))
            done = done.bool()
        return x

    def tracked(self, x):
        def true_branch_2(x, mean, seen):
            seen = seen.clone()
            mean = mean.clone()
            x = self.lift(x)
            seen += 1
            mean.copy_(0.9 * mean + 0.1 * x.detach().mean(0))
            return x, seen.double(), mean

        def false_branch_2(x, mean, seen):
            return x.clone(), seen.double(), mean.clone()

        x, seen, mean = torch.cond(
            x.max() > 2, true_branch_2, false_branch_2, (x, self.mean.clone(), self.seen.clone())
        )
        self.seen.copy_(seen)
        self.mean.copy_(mean.detach())
        return x + self.mean

    def forward(self, x):
        return self.masked(x), self.both(x), self.stopped(x), self.tracked(x)


model = Net()
example_args = (torch.ones(2, 4),)
inputs = [(torch.ones(2, 4) * scale,) for scale in (1.0, 3.0, -1.0)]
# mended: EDB101 EDB401
