import torch


class PoolOverAll(torch.nn.Module):
    """Pooling over a whole dynamic size leaves one."""

    def forward(self, x):
        return torch.nn.functional.avg_pool1d(x, x.shape[-1])


example_args = (torch.randn(1, 2, 6),)
dynamic_shapes = {"x": {2: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "torch.operator"}
model = PoolOverAll()
twin = "pool_over_all_ok"
