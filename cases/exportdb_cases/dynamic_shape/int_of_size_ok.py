import torch


class IntOfSizeOk(torch.nn.Module):
    """A size is a number already."""

    def forward(self, x):
        return x * x.shape[0]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = IntOfSizeOk()
