import torch
from torch._higher_order_ops.scan import scan


class ScanOk(torch.nn.Module):
    """`scan` carries a state from row to row."""

    def forward(self, x):
        last, sums = scan(lambda carry, row: (carry + row, carry * 1), torch.zeros(2), x)
        return last, sums


example_args = (torch.randn(3, 2),)
tags = {"torch.map"}
model = ScanOk()
