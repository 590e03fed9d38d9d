import torch
from torch._higher_order_ops.scan import scan


class ScanCarryDiffers(torch.nn.Module):
    """`scan` with a carry that becomes another rank in each step."""

    def forward(self, x):
        return scan(lambda carry, row: (carry + row, carry * 2), torch.zeros(()), x)


example_args = (torch.randn(3, 2),)
tags = {"torch.map"}
model = ScanCarryDiffers()
twin = "scan_ok"
