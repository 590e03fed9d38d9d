import torch
from torch._higher_order_ops.scan import scan


class ScanAlias(torch.nn.Module):
    """`scan` with a function that returns its carry unchanged."""

    def forward(self, x):
        return scan(lambda carry, row: (carry, carry + row), torch.ones(2), x)


example_args = (torch.randn(3, 2),)
tags = {"torch.map"}
model = ScanAlias()
twin = "scan_ok"
