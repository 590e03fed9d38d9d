import torch


class NarrowStartByTensor(torch.nn.Module):
    """A tensor as the start of a narrow."""

    def forward(self, x, n):
        return x.narrow(0, n, 1)


example_args = (
    torch.randn(4, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = NarrowStartByTensor()
twin = "narrow_start_by_item_ok"
