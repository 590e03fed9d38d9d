import torch
from torch._higher_order_ops.scan import scan


class ScanMutation(torch.nn.Module):
    """`scan` with a function that adds to its carry in place."""

    def forward(self, x):
        def step(carry, row):
            carry.add_(row)
            return carry * 1, carry * 2

        last, sums = scan(step, torch.zeros(2), x)
        return last, sums


example_args = (torch.randn(3, 2),)
tags = {"torch.map", "torch.mutation"}
model = ScanMutation()
twin = "scan_ok"
