import torch


class ListRepeatNamed(torch.nn.Module):
    """A list multiplied by a size needs the number, under a named Dim."""

    def forward(self, x):
        rows = [torch.ones(2)] * x.shape[0]
        return x + torch.stack(rows)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListRepeatNamed()
twin = "list_repeat_ok"
