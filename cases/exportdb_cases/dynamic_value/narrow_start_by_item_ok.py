import torch


class NarrowStartByItemOk(torch.nn.Module):
    """The start of a narrow from `.item()`."""

    def forward(self, x, n):
        return x.narrow(0, n.item(), 1)


example_args = (
    torch.randn(4, 8),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = NarrowStartByItemOk()
