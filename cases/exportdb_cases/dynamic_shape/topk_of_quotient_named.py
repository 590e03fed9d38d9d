import torch


class TopkOfQuotientNamed(torch.nn.Module):
    """`topk(n // 2)` under a named Dim: that `n // 2 <= n` is a guard."""

    def forward(self, x):
        return x.topk(x.shape[0] // 2, dim=0).values


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = TopkOfQuotientNamed()
twin = "topk_of_quotient_ok"
