import torch


class CheckShapeOk(torch.nn.Module):
    """`torch._check` on a size, without a message, is kept in both modes."""

    def forward(self, x):
        torch._check(x.shape[0] >= 2)
        return x * x.shape[0]


example_args = (torch.randn(3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=2)}}
tags = {"python.control-flow", "torch.dynamic-shape"}
model = CheckShapeOk()
