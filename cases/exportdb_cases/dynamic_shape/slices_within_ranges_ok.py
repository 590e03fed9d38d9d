import torch


class SlicesWithinRangesOk(torch.nn.Module):
    """A sum of two named Dims with a maximum stays within the table that is cut."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.randn(48, 2))

    def forward(self, x, past):
        return x + self.table[past.shape[0] : past.shape[0] + x.shape[0]]


example_args = (torch.randn(3, 2), torch.randn(5, 2))
dynamic_shapes = {"x": {0: torch.export.Dim("rows", max=16)}, "past": {0: torch.export.Dim("past", max=32)}}
tags = {"torch.dynamic-shape"}
model = SlicesWithinRangesOk()
