import torch
from torch.utils import _pytree as pytree


class Wrapped:
    def __init__(self, value):
        self.value = value


pytree.register_pytree_node(Wrapped, lambda w: ([w.value], None), lambda values, _: Wrapped(values[0]))


class SaveLoadUnregisteredName(torch.nn.Module):
    """A registered class without a serialized name cannot be saved."""

    def forward(self, x):
        return Wrapped(x.sin())


example_args = (torch.randn(3),)
after = "save"
tags = {"python.data-structure", "torch.operator"}
model = SaveLoadUnregisteredName()
twin = "class_output_ok"
