"""A loop that adds the row that is largest, until there is enough."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, enough):
        best = x.new_zeros(3)
        # As long as there is something to gain.
        def keep_going(best):
            return best.sum() < enough

        def step(best):
            k = (x.sum(1) - best.sum()).argmax()
            best = best + x[k.reshape(1)].squeeze(0).abs() + 0.1
            return (best,)

        (best,) = torch._higher_order_ops.while_loop(keep_going, step, (best,))
        return best


example_args = (torch.rand(4, 3), torch.tensor(4.0))
model = Net()
x = torch.arange(12.0).view(4, 3) - 6
inputs = [(x, torch.tensor(40.0)), (-x, torch.tensor(10.0)), (x * 0, torch.tensor(1.0)), (x, torch.tensor(-1.0))]
# mended: EDB101
