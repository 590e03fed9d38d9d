import torch


class DistributionValidationOk(torch.nn.Module):
    """`validate_args=False` leaves the check out."""

    def forward(self, x):
        return torch.distributions.Normal(x, x.exp(), validate_args=False).log_prob(x + 1)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DistributionValidationOk()
