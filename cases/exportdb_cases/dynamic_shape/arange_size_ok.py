import torch


class ArangeSizeOk(torch.nn.Module):
    """`torch.arange` takes a dynamic size."""

    def forward(self, x):
        return x + torch.arange(x.shape[0]).unsqueeze(1)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = ArangeSizeOk()
