import torch


class ArangeOneToTensor(torch.nn.Module):
    """A range from 1 to a tensor: its length is not the number itself, and strict export loses it."""

    def forward(self, x, n):
        return x.sum() + torch.arange(1, n)


example_args = (
    torch.randn(4, 2),
    torch.tensor(5),
)
tags = {"torch.dynamic-value"}
model = ArangeOneToTensor()
twin = "arange_one_to_item_ok"
