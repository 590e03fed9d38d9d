import torch


class ViewPermutedByTensor(torch.nn.Module):
    """A view of a transposed tensor must compare the size that depends on data with symbolic strides."""

    def forward(self, x):
        turned = x.transpose(0, 1)
        chunks = torch.div(turned.size(1), 4, rounding_mode="trunc")
        return turned.view(turned.size(0), chunks, 4, turned.size(2))


example_args = (torch.randn(16, 3, 8),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-value", "torch.dynamic-shape"}
model = ViewPermutedByTensor()
