import torch


class GeneratorAndSizeOk(torch.nn.Module):
    """A tensor of a dynamic size that is filled with `generator=`."""

    def forward(self, x):
        return x + 0 * torch.empty(x.shape[0], 2).normal_(generator=None)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = GeneratorAndSizeOk()
