import torch


class ViewPermutedByTensorOk(torch.nn.Module):
    """A view of a transposed tensor by a size that stays symbolic."""

    def forward(self, x):
        turned = x.transpose(0, 1)
        return turned.unflatten(1, (turned.size(1) // 4, 4))


example_args = (torch.randn(16, 3, 8),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-value", "torch.dynamic-shape"}
model = ViewPermutedByTensorOk()
