import torch


class FixedConstantDynamic(torch.nn.Module):
    """Adding a tensor of the batch size that is written in, under `Dim.DYNAMIC`."""

    def forward(self, x):
        return x + torch.ones(8, 2)


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = FixedConstantDynamic()
twin = "fixed_constant_ok"
