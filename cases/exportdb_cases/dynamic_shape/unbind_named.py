import torch


class UnbindNamed(torch.nn.Module):
    """`unbind` of a dimension with a name gives as many tensors as the example has."""

    def forward(self, x):
        return sum(x.unbind(0))


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = UnbindNamed()
twin = "shape_loop_ok"
