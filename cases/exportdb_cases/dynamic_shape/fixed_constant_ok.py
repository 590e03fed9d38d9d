import torch


class FixedConstantOk(torch.nn.Module):
    """`ones_like` follows the size."""

    def forward(self, x):
        return x + torch.ones_like(x)


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = FixedConstantOk()
