import torch
from torch._higher_order_ops import while_loop


class ItemRangeOk(torch.nn.Module):
    """`while_loop` runs as often as the tensor says."""

    def forward(self, x, n):
        start = torch.zeros_like(n)
        _, x = while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x * 2), (start, x))
        return x


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = ItemRangeOk()
