import torch


class CheckSizeNamedOk(torch.nn.Module):
    """The Dim says what `torch._check` demands."""

    def forward(self, x):
        torch._check(x.shape[0] > 5)
        return x.sin()


example_args = (torch.randn(7, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows", min=6)}}
tags = {"torch.dynamic-shape"}
model = CheckSizeNamedOk()
