import torch


class GeneratorAndBound(torch.nn.Module):
    """`torch.randperm` of a dynamic size with `generator=`, be it None."""

    def forward(self, x):
        return x + 0 * torch.randperm(x.shape[0], generator=None)


example_args = (torch.randn(4),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = GeneratorAndBound()
twin = "generator_and_bound_ok"
