import torch


class SignedIntByItemOk(torch.nn.Module):
    """The padding is checked to be positive and bounded."""

    def forward(self, x, n):
        padding = n.item()
        torch._check(padding >= 1)
        torch._check(padding <= 64)
        return torch.nn.functional.conv1d(x, torch.ones(2, 3, 3), padding=padding)


example_args = (
    torch.randn(1, 3, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value", "torch.operator"}
model = SignedIntByItemOk()
