import torch
from torch.utils import _pytree as pytree


class Pair:
    def __init__(self, left, right):
        self.left = left
        self.right = right


pytree.register_pytree_node(
    Pair,
    lambda pair: ([pair.left, pair.right], None),
    lambda values, _: Pair(*values),
)


class ClassInputWithoutKeys(torch.nn.Module):
    """An input of a class that pytree can flatten, but not with the keys by which export names inputs."""

    def forward(self, pair):
        return pair.left + pair.right


example_args = (Pair(torch.randn(3), torch.randn(3)),)
tags = {"python.object-model"}
model = ClassInputWithoutKeys()
