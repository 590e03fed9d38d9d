import torch


class IntOfTensor(torch.nn.Module):
    """`int(t)` reads the value; strict keeps it as an unbacked number."""

    def forward(self, x, n):
        return x * int(n)


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.builtin", "torch.dynamic-value"}
model = IntOfTensor()
