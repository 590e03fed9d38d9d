import torch


class DynamicShapesKwargsOk(torch.nn.Module):
    """An input that is passed by the name of a parameter is declared by that name, in the order of the signature."""

    def forward(self, x, *, y):
        return x + y


example_args = (torch.randn(4, 6),)
example_kwargs = {"y": torch.randn(4, 6)}
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "y": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesKwargsOk()
