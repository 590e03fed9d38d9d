import torch


class DynamicShapesKeys(torch.nn.Module):
    """A dict of `dynamic_shapes` must name every input that is given, and no other."""

    def forward(self, x, y):
        return x + y


example_args = (
    torch.randn(4, 6),
    torch.randn(4, 6),
)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "z": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesKeys()
twin = "export_arguments_ok"
