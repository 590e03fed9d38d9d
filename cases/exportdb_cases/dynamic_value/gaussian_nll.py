import torch


class GaussianNll(torch.nn.Module):
    """`gaussian_nll_loss` looks at every variance, and raises where one is negative."""

    def forward(self, x, y, variance):
        return torch.nn.functional.gaussian_nll_loss(x, y, variance)


example_args = (torch.randn(3, 2), torch.randn(3, 2), torch.rand(3, 2) + 0.1)
tags = {"torch.dynamic-value"}
model = GaussianNll()
