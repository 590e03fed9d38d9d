import torch


class ComputedSizeNamedOk(torch.nn.Module):
    """With a minimum that leaves two."""

    def forward(self, x):
        return torch.zeros(x.shape[0] - 1)


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=3)}}
tags = {"torch.dynamic-shape"}
model = ComputedSizeNamedOk()
