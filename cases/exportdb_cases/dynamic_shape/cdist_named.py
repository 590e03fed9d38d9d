import torch


class CdistNamed(torch.nn.Module):
    """`torch.cdist` under a named Dim: for more than 25 rows it computes otherwise, which is a guard."""

    def forward(self, x):
        return torch.cdist(x, x)


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = CdistNamed()
twin = "cdist_ok"
