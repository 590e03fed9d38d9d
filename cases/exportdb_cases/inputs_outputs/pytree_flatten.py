import torch
import torch.utils._pytree as pytree


class PytreeFlatten(torch.nn.Module):
    """Taking a container apart with pytree is done while tracing."""

    def forward(self, x):
        leaves, tree = pytree.tree_flatten(x)
        return leaves[0] + 1


example_args = ({1: torch.randn(3, 2), 2: torch.randn(3, 2)},)
tags = {"python.data-structure"}
model = PytreeFlatten()
exportdb_case = "pytree_flatten"
