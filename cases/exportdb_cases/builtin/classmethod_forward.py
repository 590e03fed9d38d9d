import torch


class Double(torch.autograd.Function):
    @classmethod
    def forward(cls, ctx, x):
        return x * 2

    @classmethod
    def backward(cls, ctx, grad):
        return grad * 2


class ClassmethodForward(torch.nn.Module):
    """An autograd Function whose methods are class methods, of what parameters computed."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Double.apply(self.linear(x))


example_args = (torch.randn(2, 4),)
tags = {"python.builtin"}
model = ClassmethodForward()
