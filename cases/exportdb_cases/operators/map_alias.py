import torch
from torch._higher_order_ops.map import map as torch_map


class MapAlias(torch.nn.Module):
    """`map` over a function that returns a view of its row."""

    def forward(self, x):
        return torch_map(lambda row: row[1:], x)


example_args = (torch.randn(3, 4),)
tags = {"torch.map"}
model = MapAlias()
twin = "map_ok"
