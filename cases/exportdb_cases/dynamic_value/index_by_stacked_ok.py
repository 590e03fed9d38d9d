import torch


class IndexByStackedOk(torch.nn.Module):
    """An index of one dimension, from the tensors that make it up."""

    def forward(self, x, i):
        return x[torch.stack([i])]


example_args = (
    torch.randn(6, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value", "torch.operator"}
model = IndexByStackedOk()
