import torch


class DerivedDim(torch.nn.Module):
    """A size that is one more than another, under two unrelated Dims."""

    def forward(self, x, y):
        return x + y[1:]


example_args = (torch.randn(4), torch.randn(5))
dynamic_shapes = {"x": {0: torch.export.Dim("short")}, "y": {0: torch.export.Dim("long")}}
tags = {"torch.dynamic-shape"}
model = DerivedDim()
twin = "derived_dim_ok"
