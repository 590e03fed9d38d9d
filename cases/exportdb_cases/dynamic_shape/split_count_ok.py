import torch


class SplitCountOk(torch.nn.Module):
    """An operator over the whole dimension works for every size."""

    def forward(self, x):
        return x.sum(0)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = SplitCountOk()
