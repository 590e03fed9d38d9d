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
    flatten_with_keys_fn=lambda pair: (
        [(pytree.GetAttrKey("left"), pair.left), (pytree.GetAttrKey("right"), pair.right)],
        None,
    ),
)


class ClassInputWithoutKeysOk(torch.nn.Module):
    """An input of a class that pytree can flatten with keys."""

    def forward(self, pair):
        return pair.left + pair.right


example_args = (Pair(torch.randn(3), torch.randn(3)),)
tags = {"python.object-model"}
model = ClassInputWithoutKeysOk()
