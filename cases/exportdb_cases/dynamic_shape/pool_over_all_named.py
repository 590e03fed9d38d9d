import torch


class PoolOverAllNamed(torch.nn.Module):
    """Pooling over a whole dynamic size, under a named Dim."""

    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, x.shape[-1])


example_args = (torch.randn(1, 2, 6),)
dynamic_shapes = {"x": {2: torch.export.Dim("length")}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PoolOverAllNamed()
twin = "pool_over_all_ok"
