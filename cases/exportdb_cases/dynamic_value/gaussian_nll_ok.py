import torch


class GaussianNllOk(torch.nn.Module):
    """The same loss without the check."""

    def forward(self, x, y, variance):
        variance = variance.clamp(min=1e-6)
        return (0.5 * (variance.log() + (x - y) ** 2 / variance)).mean()


example_args = (torch.randn(3, 2), torch.randn(3, 2), torch.rand(3, 2) + 0.1)
tags = {"torch.dynamic-value"}
model = GaussianNllOk()
