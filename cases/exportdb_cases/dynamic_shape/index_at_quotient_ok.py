import torch


class IndexAtQuotientOk(torch.nn.Module):
    """The row in the middle, under twice a Dim, and the last one."""

    def forward(self, x):
        return x - x[x.shape[0] // 2] - x[x.shape[0] - 1]


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: 2 * torch.export.Dim("half", min=2)}}
tags = {"torch.dynamic-shape"}
model = IndexAtQuotientOk()
