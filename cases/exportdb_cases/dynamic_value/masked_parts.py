import torch


class MaskedParts(torch.nn.Module):
    """Rows that a mask picks, cut into parts: how many there are depends on data."""

    def forward(self, x):
        return x[x[:, 0] > 0].chunk(2)[0]


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedParts()
twin = "masked_operators_ok"
