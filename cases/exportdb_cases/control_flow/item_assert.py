import torch


class ItemAssert(torch.nn.Module):
    """An assert on a number from a tensor: non-strict cannot decide it, strict turns it into a runtime assert."""

    def forward(self, x, n):
        count = n.item()
        assert count > 2
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.assert", "torch.dynamic-value"}
model = ItemAssert()
twin = "item_raise_ok"
