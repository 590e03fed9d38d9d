import torch


class CheckShapeMessage(torch.nn.Module):
    """`torch._check` on a size with a message: strict trips over the function that makes the message."""

    def forward(self, x):
        torch._check(x.shape[0] >= 2, lambda: "two rows are needed")
        return x * x.shape[0]


example_args = (torch.randn(3, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=2)}}
tags = {"python.control-flow", "torch.dynamic-shape"}
model = CheckShapeMessage()
twin = "check_shape_ok"
