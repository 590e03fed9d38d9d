import torch


class DistributionNestedOk(torch.nn.Module):
    """`Categorical` itself does not validate its logits with `validate_args=False`."""

    def forward(self, x):
        return torch.distributions.Categorical(logits=x, validate_args=False).probs


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DistributionNestedOk()
