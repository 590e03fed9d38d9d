import torch


class GeneratorAndSize(torch.nn.Module):
    """`torch.randn` of a dynamic size with `generator=`, be it None."""

    def forward(self, x):
        return x + 0 * torch.randn(x.shape[0], 2, generator=None)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = GeneratorAndSize()
twin = "generator_and_size_ok"
