import torch

SCALE = 2.0


class Step(torch.autograd.Function):
    """Whether a number is positive; its gradient passes."""

    @staticmethod
    def forward(ctx, x):
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        return grad


class AutogradFunctionAttributeOk(torch.nn.Module):
    """A constant of the module."""

    def forward(self, x):
        return Step.apply(x) * SCALE


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = AutogradFunctionAttributeOk()
