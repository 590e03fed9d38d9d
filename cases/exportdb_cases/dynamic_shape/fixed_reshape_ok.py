import torch


class FixedReshapeOk(torch.nn.Module):
    """A reshape with -1 or `x.shape[0]` leaves the size open."""

    def forward(self, x):
        return x.reshape(x.shape[0], -1).sin()


example_args = (torch.randn(8, 2, 3),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = FixedReshapeOk()
