import torch


class ListRepeatDynamic(torch.nn.Module):
    """A list multiplied by a size needs the number, under `Dim.DYNAMIC`."""

    def forward(self, x):
        rows = [torch.ones(2)] * x.shape[0]
        return x + torch.stack(rows)


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListRepeatDynamic()
twin = "list_repeat_ok"
