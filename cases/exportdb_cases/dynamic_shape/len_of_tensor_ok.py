import torch


class LenOfTensorOk(torch.nn.Module):
    """`x.shape[0]` may stay a SymInt."""

    def forward(self, x):
        return x.sum(0) / x.shape[0]


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = LenOfTensorOk()
