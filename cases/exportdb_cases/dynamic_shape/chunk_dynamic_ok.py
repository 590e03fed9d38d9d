import torch


class ChunkDynamicOk(torch.nn.Module):
    """Slices with computed bounds instead of `chunk`."""

    def forward(self, x):
        half = (x.shape[0] + 1) // 2
        return x[:half].sum() - x[half:].sum()


example_args = (torch.randn(8, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = ChunkDynamicOk()
