import torch


class IndexAssignBySize(torch.nn.Module):
    """An element is written at a size next to other indices, under Dim.AUTO."""

    def forward(self, x):
        marked = torch.zeros_like(x)
        marked[:, x.shape[1] - 1] = 1.0
        return x + marked


example_args = (torch.randn(3, 5),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = IndexAssignBySize()
twin = "index_tuple_by_size_ok"
