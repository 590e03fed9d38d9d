import torch


class DistributionKeptOk(torch.nn.Module):
    """A distribution made by the constructor with `validate_args=False`."""

    def __init__(self):
        super().__init__()
        self.prior = torch.distributions.Normal(torch.zeros(2), torch.ones(2), validate_args=False)

    def forward(self, x):
        return self.prior.log_prob(x)


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = DistributionKeptOk()
