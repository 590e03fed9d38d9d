import torch


class IndexTupleBySizeDynamic(torch.nn.Module):
    """A size next to other indices, under Dim.DYNAMIC: strict export takes the number that it is in the example."""

    def forward(self, x):
        return x[:, x.shape[1] - 1].sin()


example_args = (torch.randn(3, 5),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = IndexTupleBySizeDynamic()
twin = "index_tuple_by_size_ok"
