import torch


class MaskedElements(torch.nn.Module):
    """The largest element so far of those that a mask selects asks whether there are any."""

    def forward(self, x):
        return x[x > 0].cummax(0).values


example_args = (torch.randn(6, 8),)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedElements()
twin = "masked_operators_ok"
