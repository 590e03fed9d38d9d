import torch


class DynamicShapesRank(torch.nn.Module):
    """A tuple of dimensions must have one for each dimension of its tensor."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": (torch.export.Dim.AUTO,)}
tags = {"torch.dynamic-shape"}
model = DynamicShapesRank()
twin = "export_arguments_ok"
