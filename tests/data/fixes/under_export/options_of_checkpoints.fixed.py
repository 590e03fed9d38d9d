"""A function that passes its options on to the checkpoint."""

import torch
from torch import nn


def checkpoint(function, *args, **kwargs):
    kwargs.setdefault("use_reentrant", False)
    if torch.compiler.is_exporting():
        return function(*args)
    return torch.utils.checkpoint.checkpoint(function, *args, **kwargs)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(2))

    def forward(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x)
        return checkpoint(torch.add, x, x, preserve_rng_state=False)


inputs = [(torch.arange(6.0).reshape(3, 2),), (torch.ones(3, 2),)]
# mended: EDB503
