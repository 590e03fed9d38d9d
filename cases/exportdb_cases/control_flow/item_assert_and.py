import torch


class ItemAssertAnd(torch.nn.Module):
    """An assert on two comparisons of a number from a tensor: only the last one can become a runtime assert."""

    def forward(self, x, n):
        count = n.item()
        assert count > 2 and count < 8
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.assert", "torch.dynamic-value"}
model = ItemAssertAnd()
twin = "item_raise_ok"
