import torch


class MaskedDifference(torch.nn.Module):
    """Differences of the rows that a mask picks: there must be two of them."""

    def forward(self, x):
        return x[x[:, 0] > 0].diff(dim=0)


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedDifference()
twin = "masked_operators_ok"
