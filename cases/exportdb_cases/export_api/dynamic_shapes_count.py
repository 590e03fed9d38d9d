import torch


class DynamicShapesCount(torch.nn.Module):
    """A tuple of `dynamic_shapes` must have an entry for every input that is given."""

    def forward(self, x, y):
        return x + y


example_args = (
    torch.randn(4, 6),
    torch.randn(4, 6),
)
dynamic_shapes = ({0: torch.export.Dim.AUTO},)
tags = {"torch.dynamic-shape"}
model = DynamicShapesCount()
twin = "export_arguments_ok"
