import torch


class ItemAssertText(torch.nn.Module):
    """An assert on a number from a tensor with a constant message: non-strict export defers only asserts without one."""

    def forward(self, x, n):
        count = n.item()
        assert count > 2, "too few"
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.assert", "torch.dynamic-value"}
model = ItemAssertText()
twin = "item_raise_ok"
