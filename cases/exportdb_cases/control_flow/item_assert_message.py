import torch


class ItemAssertMessage(torch.nn.Module):
    """An assert on a number from a tensor with a message that is put together: strict export takes constant messages only."""

    def forward(self, x, n):
        count = n.item()
        assert count > 2, f"too few: {x.shape}"
        return x * count


example_args = (torch.randn(3, 2), torch.tensor(4))
tags = {"python.assert", "torch.dynamic-value"}
model = ItemAssertMessage()
twin = "item_raise_ok"
