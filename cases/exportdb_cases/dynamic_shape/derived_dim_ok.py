import torch

rows = torch.export.Dim("rows")


class DerivedDimOk(torch.nn.Module):
    """A derived Dim says how two sizes belong together."""

    def forward(self, x, y):
        return x + y[1:]


example_args = (torch.randn(4), torch.randn(5))
dynamic_shapes = {"x": {0: rows}, "y": {0: rows + 1}}
tags = {"torch.dynamic-shape"}
model = DerivedDimOk()
