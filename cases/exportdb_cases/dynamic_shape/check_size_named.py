import torch


class CheckSizeNamed(torch.nn.Module):
    """`torch._check` of a size under a named Dim, which allows sizes that it rejects."""

    def forward(self, x):
        torch._check(x.shape[0] > 5)
        return x.sin()


example_args = (torch.randn(7, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = CheckSizeNamed()
