import torch


class ListRepeatHalfDynamic(torch.nn.Module):
    """A list multiplied by half of a size under `Dim.DYNAMIC`: the program holds for the sizes that have this half."""

    def forward(self, x):
        rows = [torch.ones(2)] * (x.shape[0] // 2)
        return x.sum() + torch.stack(rows)


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
tags = {"torch.dynamic-shape", "python.data-structure"}
model = ListRepeatHalfDynamic()
twin = "list_repeat_ok"
