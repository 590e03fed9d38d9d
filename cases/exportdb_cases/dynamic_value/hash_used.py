import torch


class HashUsed(torch.nn.Module):
    """The hash of a tensor is an address of this process."""

    def forward(self, x):
        return x + hash(x) % 1000


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = HashUsed()
twin = "id_unused_ok"
