import torch
from torch.fx.experimental.dynamic_spec import ParamsSpec, ShapesSpec, ShapeVar, TensorSpec


class ShapeModuloUnbacked(torch.nn.Module):
    """A branch on the remainder of an unbacked input size."""

    def forward(self, x):
        if x.shape[0] % 4 != 0:
            x = torch.nn.functional.pad(x, (0, 0, 0, 4 - x.shape[0] % 4))
        return x.reshape(-1, 4, x.shape[1])


example_args = (torch.randn(6, 2),)
dynamic_shapes = ShapesSpec(ParamsSpec({"x": TensorSpec([ShapeVar("rows"), None])}))
tags = {"torch.dynamic-shape", "python.control-flow"}
model = ShapeModuloUnbacked()
twin = "shape_modulo_ok"
