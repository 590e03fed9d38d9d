import torch


class FixedBufferSliceNamed(torch.nn.Module):
    """A table of one size, cut to a dynamic size under a named Dim: the cut holds only up to the table's end."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.randn(16, 2))

    def forward(self, x):
        return x + self.table[: x.shape[0]]


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("n")}}
tags = {"torch.dynamic-shape"}
model = FixedBufferSliceNamed()
twin = "fixed_buffer_ok"
