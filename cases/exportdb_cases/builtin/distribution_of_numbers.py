import torch


class DistributionOfNumbers(torch.nn.Module):
    """A distribution of plain numbers is made while tracing: strict export does not trace how it validates them."""

    def forward(self, x):
        return x + 0 * torch.distributions.Uniform(0.0, 1.0).sample(x.shape)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = DistributionOfNumbers()
