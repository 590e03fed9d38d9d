import torch


class ArangeSteppedOk(torch.nn.Module):
    """A range of known length, moved by a tensor."""

    def forward(self, x, n):
        return x[0] + torch.arange(0, 4, 2) + (n - 1)


example_args = (
    torch.randn(4, 2),
    torch.tensor(2),
)
tags = {"torch.dynamic-value"}
model = ArangeSteppedOk()
