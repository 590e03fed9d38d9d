import torch
from torch.utils import _pytree as pytree


class KnownResult:
    def __init__(self, value):
        self.value = value


pytree.register_pytree_node(
    KnownResult,
    lambda result: ([result.value], None),
    lambda values, _: KnownResult(values[0]),
    serialized_type_name="exportdb.KnownResult",
)


class ClassOutputOk(torch.nn.Module):
    """A plain class is returned once pytree knows how to take it apart."""

    def forward(self, x):
        return KnownResult(x.sin())


example_args = (torch.randn(3),)
tags = {"python.object-model"}
model = ClassOutputOk()
