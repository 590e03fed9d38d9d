import torch


class WindowsOverlapNamed(torch.nn.Module):
    """Overlapping windows are laid out anew: export does not see of a named Dim that they do not lie in memory as one."""

    def forward(self, x):
        patches = x.unfold(dimension=1, size=4, step=2)
        return patches.flatten(0, 1).sin()


example_args = (torch.randn(2, 12),)
extra_inputs = [(torch.randn(2, 16),)]
dynamic_shapes = {"x": {1: torch.export.Dim("steps", min=9)}}
tags = {"torch.dynamic-shape"}
model = WindowsOverlapNamed()
