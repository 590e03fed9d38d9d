import torch


class RandintBetweenTensor(torch.nn.Module):
    """A tensor as the bound of random numbers, which strict export loses."""

    def forward(self, x, n):
        return x.sum() + torch.randint(2, n, (3,))


example_args = (
    torch.randn(4, 2),
    torch.tensor(3),
)
tags = {"torch.dynamic-value"}
model = RandintBetweenTensor()
twin = "arange_one_to_item_ok"
