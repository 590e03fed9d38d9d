import torch


class AutogradGrad(torch.nn.Module):
    """A gradient taken inside forward."""

    def forward(self, x):
        y = x.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(y.sin().sum(), y)
        return x - gradient


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = AutogradGrad()
issues = ("https://github.com/pytorch/pytorch/issues/125984",)
