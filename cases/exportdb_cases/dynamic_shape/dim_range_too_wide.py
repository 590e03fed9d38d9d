import torch


class DimRangeTooWide(torch.nn.Module):
    """A named Dim without a maximum, where the slice of a buffer allows no more than 64 rows."""

    def __init__(self):
        super().__init__()
        self.register_buffer("positions", torch.randn(64, 2))

    def forward(self, x):
        return x + self.positions[: x.shape[0]]


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = DimRangeTooWide()
twin = "fixed_buffer_ok"
