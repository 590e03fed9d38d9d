import torch


class EmptyForSomeDynamic(torch.nn.Module):
    """Padding that is empty for the example, under `Dim.DYNAMIC`: the exported program takes sizes alone that need none."""

    def forward(self, x):
        padding = x.new_zeros(2, -x.shape[1] % 4)
        return torch.cat([x, padding], dim=1)


example_args = (torch.randn(2, 8),)
dynamic_shapes = {"x": {1: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape"}
model = EmptyForSomeDynamic()
twin = "empty_for_some_ok"
