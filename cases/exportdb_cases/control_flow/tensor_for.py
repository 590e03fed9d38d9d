import torch


class TensorFor(torch.nn.Module):
    """Iterating over a tensor of static size is unrolled."""

    def forward(self, x):
        total = torch.zeros(2)
        for row in x:
            total = total + row.sin()
        return total


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow", "torch.dynamic-shape"}
model = TensorFor()
twin = "static_range_ok"
