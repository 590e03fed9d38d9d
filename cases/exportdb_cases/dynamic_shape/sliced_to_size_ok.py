import torch


class SlicedToSizeOk(torch.nn.Module):
    """A slice up to a size that is never all of it: nothing is narrowed."""

    def forward(self, x):
        return x[:, : x.shape[1] // 2].sum(1)


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SlicedToSizeOk()
