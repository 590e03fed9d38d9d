import torch


class DistributionOfNumbersOk(torch.nn.Module):
    """A distribution of plain numbers that does not validate them."""

    def forward(self, x):
        return x + 0 * torch.distributions.Uniform(0.0, 1.0, validate_args=False).sample(x.shape)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = DistributionOfNumbersOk()
