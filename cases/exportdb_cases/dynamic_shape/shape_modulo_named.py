import torch


class ShapeModuloNamed(torch.nn.Module):
    """Padding to a multiple by asking for the remainder of a size, under a named Dim."""

    def forward(self, x):
        if x.shape[0] % 4 != 0:
            x = torch.nn.functional.pad(x, (0, 0, 0, 4 - x.shape[0] % 4))
        return x.reshape(-1, 4, x.shape[1])


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeModuloNamed()
twin = "shape_modulo_ok"
