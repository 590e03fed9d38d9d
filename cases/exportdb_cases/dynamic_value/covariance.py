import torch


class Covariance(torch.nn.Module):
    """`torch.cov` compares its weights by value, also where none are given."""

    def forward(self, x):
        return torch.cov(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = Covariance()
