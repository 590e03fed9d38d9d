import torch


class IndexSelectByItemOk(torch.nn.Module):
    """`index_select` takes the tensor itself; a symbol alone is an index, too."""

    def forward(self, x, n):
        k = n.item()
        return x.index_select(1, n.reshape(1)).sin(), x[k]


example_args = (torch.randn(3, 2), torch.tensor(1))
tags = {"torch.dynamic-value"}
model = IndexSelectByItemOk()
