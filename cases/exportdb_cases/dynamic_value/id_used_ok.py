import torch


class IdUsedOk(torch.nn.Module):
    """A number of the module's own instead of the address."""

    def __init__(self):
        super().__init__()
        self.number = 7

    def forward(self, x):
        return x + self.number


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value"}
model = IdUsedOk()
