import torch


class EqualSizesNamed(torch.nn.Module):
    """Two inputs that must have the same size under two named Dims."""

    def forward(self, x, y):
        return x + y


example_args = (torch.randn(4), torch.randn(4))
dynamic_shapes = {"x": {0: torch.export.Dim("first")}, "y": {0: torch.export.Dim("second")}}
tags = {"torch.dynamic-shape"}
model = EqualSizesNamed()
twin = "equal_sizes_named_ok"
