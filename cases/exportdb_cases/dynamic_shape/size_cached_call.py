import functools

import torch


@functools.lru_cache
def table(rows):
    return torch.arange(rows).unsqueeze(1)


class SizeCachedCall(torch.nn.Module):
    """A function under `lru_cache` hashes what it is called with."""

    def forward(self, x):
        return x + table(x.shape[0])


example_args = (torch.randn(4, 2),)
dynamic_shapes = {"x": {0: torch.export.Dim.AUTO}}
tags = {"torch.dynamic-shape", "python.standard-library"}
model = SizeCachedCall()
twin = "shape_cache_ok"
