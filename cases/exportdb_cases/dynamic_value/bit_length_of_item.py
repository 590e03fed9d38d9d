import torch


class BitLengthOfItem(torch.nn.Module):
    """How many bits a number from a tensor has: only a plain int can say."""

    def forward(self, x, n):
        return x << n.item().bit_length()


example_args = (
    torch.arange(3),
    torch.tensor(7),
)
tags = {"python.builtin", "torch.dynamic-value"}
model = BitLengthOfItem()
