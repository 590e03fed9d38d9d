import torch


class ListRepeatOk(torch.nn.Module):
    """`expand` repeats to a dynamic size."""

    def forward(self, x):
        return x + torch.ones(2).expand(x.shape[0], 2)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ListRepeatOk()
