"""Tensors that a branch changes in place and that others see: inputs, what the rounds of a loop add to, a row of a view."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.register_buffer("edges", torch.tensor([0.0, 0.5, 1.0]))

    def flipped(self, u, v):
        # no column has a negative sum
        for i in range(u.shape[1]):
            def true_branch(u, v):
                u = u.clone()
                v = v.clone()
                u[:, i] *= -1
                v[i] *= -1
                return u, v

            def false_branch(u, v):
                return u.clone(), v.clone()

            new_u, new_v = torch.cond(u[:, i].sum() < 0, true_branch, false_branch, (u.clone(), v.clone()))
            u.copy_(new_u)
            v.copy_(new_v)
        return u @ v

    def binned(self, score):
        total = torch.zeros(1)
        worst = torch.zeros(1)
        for low, high in zip(self.edges[:-1], self.edges[1:], strict=True):
            inside = (score > low) & (score <= high)
            share = inside.float().mean()

            def true_branch(share, score, inside, total, worst):
                total = total.clone()
                worst = worst.clone()
                gap = (score * inside).sum()
                total += gap * share

                def true_branch_2(gap, worst):
                    worst = worst.clone()
                    worst[0] = gap
                    return worst

                def false_branch_2(gap, worst):
                    return worst.clone()

                worst = torch.cond(gap > worst, true_branch_2, false_branch_2, (gap, worst))
                return worst, total

            def false_branch(share, score, inside, total, worst):
                return worst.clone(), total.clone()

            worst, new_total = torch.cond(
                share > 0, true_branch, false_branch, (share, score, inside, total.clone(), worst)
            )
            total.copy_(new_total)
        return total + worst

    def forward(self, x, mask, u, v):
        def true_branch(mask, x):
            x = x.clone()
            x[mask] = 0.0  # what is masked does not count
            return x

        def false_branch(mask, x):
            return x.clone()

        new_x = torch.cond(mask.any(), true_branch, false_branch, (mask, x.clone()))
        x.copy_(new_x)
        y = self.limited(x)
        return y + self.binned(x.sigmoid().mean(1)), self.flipped(u, v)

    def limited(self, x):
        def true_branch(x):
            x = x.clone()
            x.mul_(4.0 / x.norm())
            return self.lin(x), x

        def false_branch(x):
            return self.lin(x) * 2, x.clone()

        result, new_x = torch.cond(x.norm() > 4, true_branch, false_branch, (x.clone(),))
        x.copy_(new_x)
        return result


u, v = torch.tensor([[-2.0, 1, 0.5], [1, 3, -1], [0, 1, -4]]), torch.arange(9.0).view(3, 3)
some = torch.tensor([[True, False, False], [False, False, True]])
inputs = [
    (torch.ones(2, 3), some, u, v),
    (torch.full((2, 3), 5.0), torch.zeros(2, 3, dtype=torch.bool), u, v),
    (-torch.ones(2, 3), torch.zeros(2, 3, dtype=torch.bool), -u, v),
    (torch.zeros(2, 3), some, u.abs(), v),
]
# mended: EDB101
