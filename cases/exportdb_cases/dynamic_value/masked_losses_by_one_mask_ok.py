import torch


class MaskedLossesByOneMaskOk(torch.nn.Module):
    """A loss between two selections by one mask: their sizes are one symbol."""

    def forward(self, x, y, keep):
        return torch.nn.functional.mse_loss(x[keep], y[keep])


example_args = (
    torch.randn(6),
    torch.randn(6),
    torch.tensor([True, False, True, True, False, True]),
)
tags = {"torch.dynamic-value", "torch.operator"}
model = MaskedLossesByOneMaskOk()
