"""A matrix is squared and scaled until it stands still; how often it was done is told, and how far it got."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, tolerance=1e-3, most=20):
        super().__init__()
        self.tolerance, self.most = tolerance, most

    def sharpen(self, a):
        moved, it = torch.tensor(1.0), 0

        it = torch.full((), 0)

        def keep_going(moved, it, a):
            return (moved > self.tolerance) & (it < self.most)

        def step(moved, it, a):
            it = it.clone()
            b = a @ a
            b = b / b.sum(0, keepdim=True)
            moved = (b - a).abs().max()
            a = b
            it += 1
            return (moved, it, a)

        moved, it, a = torch._higher_order_ops.while_loop(keep_going, step, (moved, it, a))
        it = it.item()
        return a, it

    def forward(self, a):
        a, rounds = self.sharpen(a / a.sum(0, keepdim=True))
        x, k = a, 0
        done = x.new_zeros((), dtype=torch.bool)
        k = torch.full((), 0)

        def keep_going(done, x, k):
            return ~done

        def step(done, x, k):
            k = k.clone()
            new = 0.5 * x + 0.5 * x.square()
            k += 1
            moved = (new - x).abs().max()
            x = new
            done = (moved < self.tolerance) | (k >= 7)
            return (done, x.contiguous(), k)

        done, x, k = torch._higher_order_ops.while_loop(keep_going, step, (done, x.contiguous(), k))
        k = k.item()
        return a, rounds, x, k + rounds


example_args = (torch.ones(3, 3),)
model = Net()
inputs = [(torch.linspace(0.1, 2, 9).view(3, 3),), (torch.eye(3),), (torch.eye(3) + 0.5,), (torch.eye(3) * 0.5 + 1e-4,)]
# mended: EDB101
