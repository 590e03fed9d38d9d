import torch


class PlainFloatBySizeOk(torch.nn.Module):
    """A tensor that is filled with the number keeps the size symbolic."""

    def forward(self, x):
        side = x.new_full((x.shape[0], 1), 1 / x.shape[0])
        return torch.cat([side, x, side], dim=1)


example_args = (torch.randn(5, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PlainFloatBySizeOk()
