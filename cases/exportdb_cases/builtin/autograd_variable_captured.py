import torch
from torch.autograd import Variable


class AutogradVariableCaptured(torch.nn.Module):
    """Dynamo captures the functions of `torch.cond` in both modes, and does not know `Variable`."""

    def forward(self, x):
        def near(x):
            return x * Variable(x.detach())

        return torch.cond(x.norm() < 2, near, lambda x: x.sin(), (x,))


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.cond"}
model = AutogradVariableCaptured()
