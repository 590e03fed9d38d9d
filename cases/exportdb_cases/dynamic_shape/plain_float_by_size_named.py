import torch


class PlainFloatBySizeNamed(torch.nn.Module):
    """The value of a pad, computed from a named dimension."""

    def forward(self, x):
        return torch.nn.functional.pad(x, (1, 1), value=1 / x.shape[0])


example_args = (torch.randn(5, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainFloatBySizeNamed()
twin = "plain_float_by_size_ok"
