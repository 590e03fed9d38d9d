import torch


class SliceBeyondNamedOk(torch.nn.Module):
    """The Dim says that a slice takes all that there is."""

    def forward(self, x):
        return x[:, :50].sum(1)


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim("length", max=49)}}
tags = {"torch.dynamic-shape"}
model = SliceBeyondNamedOk()
