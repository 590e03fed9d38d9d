import torch


class UnbindDynamic(torch.nn.Module):
    """`unbind` of a dynamic dimension gives as many tensors as it has."""

    def forward(self, x):
        return sum(x.unbind(0))


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape"}
model = UnbindDynamic()
twin = "shape_loop_ok"
