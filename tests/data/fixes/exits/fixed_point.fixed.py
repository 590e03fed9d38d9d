"""An iteration without an end of its own, whose rounds Python counts."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, a, x):
        it = 0
        done = a.new_zeros((), dtype=torch.bool)
        it = torch.tensor(0)

        def keep_going(done, x, it):
            return ~done

        def step(done, x, it):
            it = it.clone()
            x_new = torch.cos(a * x)
            delta = (x_new - x).abs().max()
            x = x_new
            it += 1
            done = (delta < 1e-3) | (it >= 50)
            return (done, x, it)

        done, x, it = torch._higher_order_ops.while_loop(
            keep_going, step, (done, x, it)
        )
        return x


inputs = [
    (torch.full((3,), 0.5), torch.rand(3)),
    (torch.full((3,), 1.0), torch.ones(3)),
    (torch.full((3,), 2.5), torch.ones(3)),
]
# mended: EDB101
