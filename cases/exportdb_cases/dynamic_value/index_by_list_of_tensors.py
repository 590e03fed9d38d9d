import torch


class IndexByListOfTensors(torch.nn.Module):
    """A list of tensors as an index is made one tensor, which needs their values."""

    def forward(self, x, i):
        return x[[i]]


example_args = (
    torch.randn(6, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value", "torch.operator"}
model = IndexByListOfTensors()
twin = "index_by_stacked_ok"
