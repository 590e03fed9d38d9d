import torch


class PlainIntByTensor(torch.nn.Module):
    """A tensor as the number of steps, which must be a plain int."""

    def forward(self, x, n):
        return x * torch.linspace(0, 1, n).sum()


example_args = (
    torch.randn(3),
    torch.tensor(4),
)
tags = {"torch.dynamic-value"}
model = PlainIntByTensor()
twin = "plain_int_by_item_ok"
