import torch


class IndexAssignByItem(torch.nn.Module):
    """An element is written at a number from data beside other indices."""

    def forward(self, x, n):
        k = n.item()
        y = x.clone()
        y[0, k] = 1.0
        return y


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value"}
model = IndexAssignByItem()
twin = "index_select_by_item_ok"
