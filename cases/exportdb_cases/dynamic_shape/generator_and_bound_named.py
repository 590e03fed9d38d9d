import torch


class GeneratorAndBoundNamed(torch.nn.Module):
    """`torch.randperm` of a dynamic size with `generator=`, under a named Dim."""

    def forward(self, x):
        return x + 0 * torch.randperm(x.shape[0], generator=None)


example_args = (torch.randn(4),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = GeneratorAndBoundNamed()
twin = "generator_and_bound_ok"
