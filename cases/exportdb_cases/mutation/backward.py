import torch


class Backward(torch.nn.Module):
    """`backward()` inside forward, and the gradient that it leaves."""

    def forward(self, x):
        (x**3).sum().backward()
        return x - 0.1 * x.grad


example_args = (torch.randn(2, 3, requires_grad=True),)
tags = {"torch.operator"}
model = Backward()
twin = "autograd_grad_ok"
