import torch


class DimNotDivisibleOk(torch.nn.Module):
    """A derived Dim that is a multiple of 4."""

    def forward(self, x):
        return x.view(x.shape[0] // 4, 4, 2).sum(1)


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: 4 * torch.export.Dim("quarters")}}
tags = {"torch.dynamic-shape"}
model = DimNotDivisibleOk()
