import torch


class ShapeAssertNamedOk(torch.nn.Module):
    """The Dim says what the assert demands."""

    def forward(self, x):
        assert x.shape[0] <= 64
        return x.sin()


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", max=64)}}
tags = {"torch.dynamic-shape", "python.assert"}
model = ShapeAssertNamedOk()
