"""A sum for each label, whose count is read from the labels: a comparison with the counter is a mask."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, labels):
        count = labels.max().item() + 1
        sums = torch.zeros(count, x.size(1))

        rounds = torch.tensor(count)

        def keep_going(i, sums):
            return i < rounds

        def step(i, sums):
            sums = sums.clone()
            sums[i.reshape(1)] = x[labels == i].sum(0)
            return i + 1, sums

        i, sums = torch._higher_order_ops.while_loop(keep_going, step, (torch.zeros_like(rounds), sums))
        return sums


model = Net()
example_args = (torch.linspace(0, 1, 10).view(5, 2), torch.tensor([0, 2, 1, 2, 0]))
inputs = [(torch.linspace(0, 1, 10).view(5, 2), torch.tensor(one)) for one in ([0, 2, 1, 2, 0], [1, 1, 0, 0, 0])]
# mended: EDB106
