from functools import lru_cache

import torch


@lru_cache
def scale(width):
    return width**-0.5


class LruCacheOk(torch.nn.Module):
    """A cached function of Python values is called while tracing."""

    def forward(self, x):
        return x * scale(2)


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = LruCacheOk()
