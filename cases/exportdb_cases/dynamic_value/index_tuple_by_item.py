import torch


class IndexTupleByItem(torch.nn.Module):
    """A number from data beside other indices: strict export takes no symbol there."""

    def forward(self, x, n):
        k = n.item()
        return x[:, k].sin()


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value"}
model = IndexTupleByItem()
twin = "index_select_by_item_ok"
