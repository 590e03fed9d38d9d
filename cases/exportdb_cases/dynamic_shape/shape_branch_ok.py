import torch


class ShapeBranchOk(torch.nn.Module):
    """`torch.cond` takes a comparison of a size and keeps both sides."""

    def forward(self, x):
        return torch.cond(x.shape[0] > 5, lambda x: x.sin(), lambda x: x.cos(), (x,))


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.cond"}
model = ShapeBranchOk()
exportdb_case = "dynamic_shape_if_guard"
