import torch


class StaticDimOk(torch.nn.Module):
    """`Dim.STATIC` and a plain number say that a dimension stays as it is, beside one that is free."""

    def forward(self, x, y):
        return x.reshape(-1, 2, 3) + y


example_args = (torch.randn(4, 6), torch.randn(4, 2, 3))
dynamic_shapes = {
    "x": {0: torch.export.Dim.AUTO, 1: torch.export.Dim.STATIC},
    "y": {0: torch.export.Dim.AUTO, 1: 2, 2: None},
}
tags = {"torch.dynamic-shape"}
model = StaticDimOk()
