import torch


class DynamicShapesText(torch.nn.Module):
    """A dimension is declared by a Dim, not by a text."""

    def forward(self, x):
        return x * 2


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {0: "rows"}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesText()
twin = "export_arguments_ok"
