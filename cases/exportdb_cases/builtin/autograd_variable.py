import torch
from torch.autograd import Variable


class AutogradVariable(torch.nn.Module):
    """The obsolete `Variable` around a tensor."""

    def forward(self, x):
        return x + Variable(x.new_zeros(2))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = AutogradVariable()
