import torch


class SlicedToSizeDynamic(torch.nn.Module):
    """A slice up to a size that is all of the example, under `Dim.DYNAMIC`: the exported program takes no others, which eager does."""

    def forward(self, x):
        return x[:, : x.shape[1] // 4 * 4].sum(1)


example_args = (torch.randn(3, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = SlicedToSizeDynamic()
twin = "sliced_to_size_ok"
