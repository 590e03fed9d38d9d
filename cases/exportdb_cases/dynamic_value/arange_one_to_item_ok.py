import torch


class ArangeOneToItemOk(torch.nn.Module):
    """A range from 1 to the number of a tensor, and one of as many numbers as a tensor says."""

    def forward(self, x, n):
        return x.sum() + torch.arange(1, n.item()).sum() + torch.arange(n)


example_args = (
    torch.randn(4, 2),
    torch.tensor(5),
)
tags = {"torch.dynamic-value"}
model = ArangeOneToItemOk()
