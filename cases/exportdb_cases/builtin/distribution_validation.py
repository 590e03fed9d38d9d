import torch


class DistributionValidation(torch.nn.Module):
    """`torch.distributions` checks its arguments by their values."""

    def forward(self, x):
        return torch.distributions.Normal(x, x.exp()).log_prob(x + 1)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DistributionValidation()
