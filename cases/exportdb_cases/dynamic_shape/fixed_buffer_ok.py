import torch


class FixedBufferOk(torch.nn.Module):
    """A slice of a larger buffer follows the size, within its bound."""

    def __init__(self):
        super().__init__()
        self.register_buffer("positions", torch.randn(64, 2))

    def forward(self, x):
        return x + self.positions[: x.shape[0]]


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", max=64)}}
tags = {"torch.dynamic-shape"}
model = FixedBufferOk()
