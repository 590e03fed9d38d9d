import torch


class BitLengthOfItemOk(torch.nn.Module):
    """`torch.frexp` tells the same of a positive number, as a tensor."""

    def forward(self, x, n):
        return x << torch.frexp(n.to(torch.float64)).exponent


example_args = (
    torch.arange(3),
    torch.tensor(7),
)
tags = {"torch.dynamic-value"}
model = BitLengthOfItemOk()
