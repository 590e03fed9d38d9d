import torch


class IndexTensorByItemsOk(torch.nn.Module):
    """Elements picked by a tensor from a stack of them."""

    def forward(self, x, order):
        rows = torch.stack([x, x + 1, x + 2])
        return rows.index_select(0, order)


example_args = (torch.randn(2), torch.tensor([2, 0, 1]))
tags = {"torch.dynamic-value"}
model = IndexTensorByItemsOk()
