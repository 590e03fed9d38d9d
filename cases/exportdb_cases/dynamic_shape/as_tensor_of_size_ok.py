import torch


class AsTensorOfSizeOk(torch.nn.Module):
    """`torch.tensor(n)` of a size."""

    def forward(self, x):
        return x / torch.tensor(x.shape[0])


example_args = (torch.randn(5),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = AsTensorOfSizeOk()
