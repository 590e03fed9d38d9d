import torch


class ApplyToElements(torch.nn.Module):
    """`apply_` calls Python with every number of a tensor, and a traced tensor has none."""

    def forward(self, x):
        return x.clone().apply_(lambda value: value * 2 + 1)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = ApplyToElements()
