import torch


class SignedIntByItem(torch.nn.Module):
    """A convolution asks whether its padding is negative, which is unknown of a number from data."""

    def forward(self, x, n):
        return torch.nn.functional.conv1d(x, torch.ones(2, 3, 3), padding=n.item())


example_args = (
    torch.randn(1, 3, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value", "torch.operator"}
model = SignedIntByItem()
