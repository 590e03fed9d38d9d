import torch


class MaskedRoll(torch.nn.Module):
    """A roll of the rows that a mask picks asks whether there are any."""

    def forward(self, x):
        return x[x[:, 0] > 0].roll(1, 0)


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedRoll()
twin = "masked_operators_ok"
