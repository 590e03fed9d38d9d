"""Code for several processes: a model is exported by one, outside of any group."""

import torch
from torch import distributed, nn


def is_distributed():
    return distributed.is_initialized() and distributed.get_world_size() > 1


def gathered(x):
    sizes = x.new_zeros(distributed.get_world_size())
    return x, sizes.tolist()


# exportdb: args=(torch.randn(4, 3), torch.tensor([2, 1]))
class Gathering(nn.Module):
    def __init__(self, shard=True):
        super().__init__()
        self.shard = shard

    def forward(self, x, lengths):
        if self.shard and is_distributed():
            (x, _), sizes = gathered(x), lengths.tolist()
            if sizes[0] > 2:
                x = x[: sizes[0]]
        if x.sum() > 0:  # non-strict: fails; strict: fails
            x = x + 1
        return x


# exportdb: args=(torch.randn(4, 3),)
class Synchronized(nn.Module):
    def forward(self, x):
        if distributed.is_available() and distributed.is_initialized():
            if x.sum() > 0:
                distributed.all_reduce(x)
        return x * 2
