import torch


class FilterTensors(torch.nn.Module):
    """`filter` asks what its function returns for a truth value."""

    def forward(self, x):
        total = torch.zeros(2)
        for row in filter(lambda row: row.sum() > 0, x):
            total = total + row
        return total


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = FilterTensors()
twin = "tensor_comprehension_if_ok"
