import torch


class MaxTensorNumberOk(torch.nn.Module):
    """`clamp` is the `max` with a number."""

    def forward(self, x):
        return x * x.sum().clamp(min=1.0)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = MaxTensorNumberOk()
