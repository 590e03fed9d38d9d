import torch


class SizeOneNamed(torch.nn.Module):
    """An example size of 1 under a named Dim."""

    def forward(self, x):
        return x.sin()


example_args = (torch.randn(1, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = SizeOneNamed()
twin = "size_two_ok"
issues = ("https://github.com/pytorch/pytorch/issues/133653",)
