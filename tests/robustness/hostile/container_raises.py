# expected: eager-error
"""Gives back a registered dict that cannot be looked at."""

import torch
from torch.utils import _pytree as pytree


class Held(dict):
    def __iter__(self):
        raise RuntimeError("no keys")

    def __len__(self):
        raise RuntimeError("no length")

    def __repr__(self):
        raise RuntimeError("no text")

    keys = items = values = __eq__ = __iter__
    __hash__ = None


pytree.register_pytree_node(Held, lambda held: ([dict.get(held, "a")], None), lambda values, _: Held(a=values[0]))


# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        return Held(a=x + 1)
