import torch


class SizeAsKeyOk(torch.nn.Module):
    """Computing from the size what the dict held."""

    def forward(self, x):
        return x * (2.0 / x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = SizeAsKeyOk()
