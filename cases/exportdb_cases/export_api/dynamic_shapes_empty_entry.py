import torch


class DynamicShapesEmptyEntry(torch.nn.Module):
    """An input that is no tensor is declared by None, not by an empty dict."""

    def forward(self, x, scale):
        return x * scale


example_args = (torch.randn(4, 6), 3)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "scale": {}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesEmptyEntry()
twin = "export_arguments_ok"
