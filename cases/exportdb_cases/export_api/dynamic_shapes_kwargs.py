import torch


class DynamicShapesKwargs(torch.nn.Module):
    """No `dynamic_shapes` fits inputs that `**kwargs` takes, however it is nested."""

    def forward(self, x, **more):
        return x + more["y"]


example_args = (torch.randn(4, 6),)
example_kwargs = {"y": torch.randn(4, 6)}
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}, "more": {"y": {0: torch.export.Dim.AUTO}}}
tags = {"torch.dynamic-shape"}
model = DynamicShapesKwargs()
