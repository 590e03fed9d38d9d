import torch


class IndexAtQuotientNamed(torch.nn.Module):
    """The row in the middle, under a named Dim: that `n // 2 < n` is a guard."""

    def forward(self, x):
        return x - x[x.shape[0] // 2]


example_args = (torch.randn(6, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows")}}
tags = {"torch.dynamic-shape"}
model = IndexAtQuotientNamed()
twin = "index_at_quotient_ok"
