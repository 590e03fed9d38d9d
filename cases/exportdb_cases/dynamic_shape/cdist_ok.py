import torch


class CdistOk(torch.nn.Module):
    """`torch.cdist` that is told how to compute."""

    def forward(self, x):
        return torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist")


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = CdistOk()
