import torch


class CdistAuto(torch.nn.Module):
    """`torch.cdist` under `Dim.AUTO`: for more than 25 rows it computes otherwise, which is a guard."""

    def forward(self, x):
        return torch.cdist(x, x)


example_args = (torch.randn(20, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = CdistAuto()
twin = "cdist_ok"
