import torch


class SizeTwoOk(torch.nn.Module):
    """An example size of 2 or more stays dynamic."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(2, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SizeTwoOk()
