import torch


class DynamicShapesNotATensor(torch.nn.Module):
    """A string has no dimensions that could be dynamic."""

    def forward(self, x, mode):
        return x.sin() if mode == "sin" else x.cos()


example_args = (
    torch.randn(4, 6),
    "sin",
)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "mode": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesNotATensor()
twin = "export_arguments_ok"
