import torch


class FixedReshapeNamed(torch.nn.Module):
    """A reshape with the batch size written in, under a named Dim."""

    def forward(self, x):
        return x.reshape(8, 6).sin()


example_args = (torch.randn(8, 2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = FixedReshapeNamed()
twin = "fixed_reshape_ok"
