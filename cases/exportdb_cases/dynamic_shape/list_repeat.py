import torch


class ListRepeat(torch.nn.Module):
    """A list multiplied by a size needs the number."""

    def forward(self, x):
        rows = [torch.ones(2)] * x.shape[0]
        return x + torch.stack(rows)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListRepeat()
