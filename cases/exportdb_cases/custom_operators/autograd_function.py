import torch


class MyScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return gradient + 1


class AutogradFunction(torch.nn.Module):
    """An autograd Function is traced through its forward."""

    def forward(self, x):
        return MyScale.apply(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = AutogradFunction()
exportdb_case = "autograd_function"
