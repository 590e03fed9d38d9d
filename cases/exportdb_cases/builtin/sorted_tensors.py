import torch


class SortedTensors(torch.nn.Module):
    """`sorted` compares tensors and asks for the truth of each comparison."""

    def forward(self, x):
        rows = sorted(x, key=lambda row: row.sum())
        return torch.stack(rows)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin", "torch.dynamic-value"}
model = SortedTensors()
