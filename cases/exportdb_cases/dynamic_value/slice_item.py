import torch


class SliceItem(torch.nn.Module):
    """A slice up to a number that comes from a tensor."""

    def forward(self, x, n):
        return x[: n.item()].sin()


example_args = (torch.randn(8), torch.tensor(4))
tags = {"torch.dynamic-value"}
model = SliceItem()
