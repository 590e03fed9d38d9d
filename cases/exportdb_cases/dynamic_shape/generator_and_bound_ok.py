import torch


class GeneratorAndBoundOk(torch.nn.Module):
    """`torch.randperm` of a dynamic size, from torch's global generator."""

    def forward(self, x):
        return x + 0 * torch.randperm(x.shape[0])


example_args = (torch.randn(4),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = GeneratorAndBoundOk()
