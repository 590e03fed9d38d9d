import torch


class ShapeMinOk(torch.nn.Module):
    """`torch.sym_min` of a size and a number is an expression of the graph."""

    def forward(self, x):
        return x.sum() * torch.sym_min(x.shape[0], 4)


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = ShapeMinOk()
exportdb_case = "unsupported_operator"
