"""A loop whose test looks at the element that a tensor picks."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, k):
        rounds = 0

        rounds = torch.tensor(0)

        def keep_going(x, rounds):
            return (x[k.reshape(1)].squeeze(0) > 0) & (rounds < 10)

        def step(x, rounds):
            rounds = rounds.clone()
            x = x * 0.5 - 0.2
            rounds += 1
            return (x, rounds)

        x, rounds = torch._higher_order_ops.while_loop(keep_going, step, (x, rounds))
        return x


example_args = (torch.rand(4), torch.tensor(2))
model = Net()
inputs = [
    (torch.tensor([2.0, -1.0, 0.5, 3.0]), torch.tensor(0)),
    (torch.tensor([-2.0, 4.0, 0.5, 1.0]), torch.tensor(1)),
    (torch.tensor([-2.0, -1.0, -0.5, 2.0]), torch.tensor(2)),
]
# mended: EDB101
