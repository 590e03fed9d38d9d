import torch
from torch._higher_order_ops.map import map as torch_map


class DynamicShapeMap(torch.nn.Module):
    """`map` over a dynamic number of rows."""

    def forward(self, rows, y):
        return torch_map(lambda row, y: row + y, rows, y)


example_args = (torch.randn(3, 2), torch.randn(2))
dynamic_shapes = {"rows": {0: torch.export.Dim("rows")}, "y": None}
tags = {"torch.dynamic-shape", "torch.map"}
model = DynamicShapeMap()
exportdb_case = "dynamic_shape_map"
