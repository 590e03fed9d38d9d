import torch
from torch._higher_order_ops.map import map as torch_map


class MapMutation(torch.nn.Module):
    """`map` over a function that writes its row in place."""

    def forward(self, x):
        return torch_map(lambda row: row.mul_(2).sin(), x)


example_args = (torch.randn(3, 2),)
tags = {"torch.map", "torch.mutation"}
model = MapMutation()
twin = "map_ok"
