import torch


class FixedBuffer(torch.nn.Module):
    """A buffer of one size freezes the dimension that it is added to."""

    def __init__(self):
        super().__init__()
        self.register_buffer("positions", torch.randn(8, 2))

    def forward(self, x):
        return x + self.positions


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = FixedBuffer()
