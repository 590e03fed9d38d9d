import torch


class WindowsNamed(torch.nn.Module):
    """Windows without overlap: non-strict export asks whether nothing of a named Dim is left over."""

    def forward(self, x):
        return x.unfold(1, 4, 4).mean(2)


example_args = (torch.randn(2, 12),)
extra_inputs = [(torch.randn(2, 16),)]
dynamic_shapes = {"x": {1: torch.export.Dim("steps", min=8)}}
tags = {"torch.dynamic-shape"}
model = WindowsNamed()
