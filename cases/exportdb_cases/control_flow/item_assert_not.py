import torch


class ItemAssertNot(torch.nn.Module):
    """An assert on `not` of a comparison of a number from a tensor: the comparison itself must be decided."""

    def forward(self, x, n):
        count = n.item()
        assert not count > 8
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.assert", "torch.dynamic-value"}
model = ItemAssertNot()
twin = "item_raise_ok"
