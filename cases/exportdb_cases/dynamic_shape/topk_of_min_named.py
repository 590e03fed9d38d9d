import torch


class TopkOfMinNamed(torch.nn.Module):
    """`topk(min(4, n))` under a named Dim: that `min(4, n) <= n` is a guard."""

    def forward(self, x):
        return x.topk(min(4, x.shape[0]), dim=0).values


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TopkOfMinNamed()
twin = "topk_of_min_ok"
