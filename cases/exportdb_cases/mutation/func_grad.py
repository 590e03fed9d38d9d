import torch


class FuncGrad(torch.nn.Module):
    """`torch.func.grad` inside forward."""

    def forward(self, x):
        gradient = torch.func.grad(lambda y: y.sin().sum())(x)
        return x - gradient


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = FuncGrad()
twin = "autograd_grad_ok"
