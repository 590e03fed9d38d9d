import torch


class CacheOutputOk(torch.nn.Module):
    """The tensors of the cache are returned instead of the object."""

    def forward(self, x, keys):
        keys = [*keys, x]
        return torch.cat(keys), keys


example_args = (torch.randn(3, 2), [torch.randn(1, 2)])
tags = {"python.data-structure"}
model = CacheOutputOk()
