import torch


class ItemOk(torch.nn.Module):
    """`.item()` alone gives an unbacked number, and arithmetic with it is in the graph."""

    def forward(self, x, n):
        return x * n.item()


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"torch.dynamic-value"}
model = ItemOk()
exportdb_case = "scalar_output"
