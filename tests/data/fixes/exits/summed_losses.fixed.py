"""Losses that Python adds up, as far as they are wanted."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)})
        self.log_vars = nn.Parameter(torch.zeros(2))

    def forward(self, x, valid):
        total = x.new_zeros(())
        for i, (name, head) in enumerate(self.heads.items()):
            def true_branch(total, x):
                total = total + torch.exp(-self.log_vars[i]) * head(x).pow(2).mean() + self.log_vars[i]
                return total

            def false_branch(total, x):
                return total.clone()

            total = torch.cond(valid[i], true_branch, false_branch, (total, x))
        return total


model = Net()
example_args = (torch.ones(3, 4), torch.tensor([True, False]))
inputs = [
    (torch.linspace(-2, 3, 12).view(3, 4), torch.tensor(valid))
    for valid in ([True, False], [True, True], [False, True])
]
# mended: EDB101
