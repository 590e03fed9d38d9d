import torch
from torch._higher_order_ops.associative_scan import associative_scan


class AssociativeScan(torch.nn.Module):
    """`associative_scan` with a function that adds."""

    def forward(self, x):
        return associative_scan(lambda a, b: a + b, x, dim=0, combine_mode="generic")


example_args = (torch.randn(4, 2),)
tags = {"torch.map", "torch.operator"}
model = AssociativeScan()
