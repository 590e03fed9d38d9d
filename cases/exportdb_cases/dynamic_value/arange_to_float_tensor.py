import torch


class ArangeToFloatTensor(torch.nn.Module):
    """A range up to a float tensor, which is rounded up: strict export loses its length."""

    def forward(self, x, n):
        return x.sum() + torch.arange(n)


example_args = (
    torch.randn(4, 2),
    torch.tensor(3.0),
)
tags = {"torch.dynamic-value"}
model = ArangeToFloatTensor()
twin = "arange_one_to_item_ok"
