import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class ClassmethodForwardOk(torch.nn.Module):
    """The methods of an autograd Function are static."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Double.apply(self.linear(x))


example_args = (torch.randn(2, 4),)
tags = {"python.builtin"}
model = ClassmethodForwardOk()
