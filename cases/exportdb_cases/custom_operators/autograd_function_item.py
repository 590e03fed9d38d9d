import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.scale = float(x.abs().max())
        return x / ctx.scale

    @staticmethod
    def backward(ctx, gradient):
        return gradient / ctx.scale


class AutogradFunctionItem(torch.nn.Module):
    """An autograd Function that reads a value in its forward."""

    def forward(self, x):
        return Scale.apply(x)


example_args = (torch.randn(3),)
tags = {"torch.operator", "torch.dynamic-value"}
model = AutogradFunctionItem()
twin = "autograd_function"
