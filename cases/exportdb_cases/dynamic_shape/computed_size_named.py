import torch


class ComputedSizeNamed(torch.nn.Module):
    """A size that was computed from a named Dim must be neither 0 nor 1 in non-strict export."""

    def forward(self, x):
        return torch.zeros(x.shape[0] - 1)


example_args = (torch.randn(10, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = ComputedSizeNamed()
twin = "computed_size_named_ok"
