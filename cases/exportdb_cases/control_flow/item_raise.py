import torch


class ItemRaise(torch.nn.Module):
    """A raise that is guarded by a number from a tensor is a branch on data."""

    def forward(self, x, n):
        count = n.item()
        if count < 1:
            raise ValueError("nothing to do")
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.control-flow", "torch.dynamic-value"}
model = ItemRaise()
