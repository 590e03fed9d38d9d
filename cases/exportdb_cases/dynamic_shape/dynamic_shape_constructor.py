import torch


class DynamicShapeConstructor(torch.nn.Module):
    """A tensor made with a computed size follows the input."""

    def forward(self, x):
        return torch.zeros(x.shape[0] * 2, 3)


example_args = (torch.randn(3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = DynamicShapeConstructor()
exportdb_case = "dynamic_shape_constructor"
