import torch


class WindowsOverlapNamedOk(torch.nn.Module):
    """`contiguous` copies the windows first."""

    def forward(self, x):
        patches = x.unfold(dimension=1, size=4, step=2)
        return patches.contiguous().flatten(0, 1).sin()


example_args = (torch.randn(2, 12),)
extra_inputs = [(torch.randn(2, 16),)]
dynamic_shapes = {"x": {1: torch.export.Dim("steps", min=9)}}
tags = {"torch.dynamic-shape"}
model = WindowsOverlapNamedOk()
