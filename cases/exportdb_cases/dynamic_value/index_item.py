import torch


class IndexItem(torch.nn.Module):
    """An index that comes from a tensor."""

    def forward(self, x, n):
        return x[n.item()].sin()


example_args = (torch.randn(8), torch.tensor(4))
tags = {"torch.dynamic-value"}
model = IndexItem()
