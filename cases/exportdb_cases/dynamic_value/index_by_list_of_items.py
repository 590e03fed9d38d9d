import torch


class IndexByListOfItems(torch.nn.Module):
    """A list of numbers from data becomes a tensor of plain numbers."""

    def forward(self, x, order):
        return x[order.tolist()].sin()


example_args = (torch.randn(3, 2), torch.tensor([2, 0]))
tags = {"torch.dynamic-value", "python.data-structure"}
model = IndexByListOfItems()
twin = "index_select_by_item_ok"
