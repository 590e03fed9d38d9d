import torch


class DistributionNested(torch.nn.Module):
    """`OneHotCategorical` makes a `Categorical`, which validates its logits whatever `validate_args` is."""

    def forward(self, x):
        return torch.distributions.OneHotCategorical(logits=x, validate_args=False).mean


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DistributionNested()
