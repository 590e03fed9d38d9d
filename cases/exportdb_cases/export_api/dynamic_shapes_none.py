import torch


class DynamicShapesNone(torch.nn.Module):
    """None declares a tensor to be static, not a list of them: it must be nested as the inputs are."""

    def forward(self, x, ys):
        return x + ys[0] + ys[1]


example_args = (torch.randn(4, 6), [torch.randn(4, 6), torch.randn(4, 6)])
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "ys": None}
tags = {"torch.dynamic-shape"}
model = DynamicShapesNone()
twin = "export_arguments_ok"
