import torch


class ShapeModuloOk(torch.nn.Module):
    """The amount of padding as an expression: no branch."""

    def forward(self, x):
        x = torch.nn.functional.pad(x, (0, 0, 0, -x.shape[0] % 4))
        return x.sum(0)


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ShapeModuloOk()
