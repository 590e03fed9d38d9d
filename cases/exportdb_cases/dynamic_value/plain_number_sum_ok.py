import torch


class PlainNumberSumOk(torch.nn.Module):
    """A number that arithmetic makes of a tensor which the constructor made: export remembers it."""

    def __init__(self):
        super().__init__()
        self.count = torch.tensor(2)

    def forward(self, x):
        return x[:, : int(self.count + 1)]


example_args = (torch.randn(2, 8),)
tags = {"torch.dynamic-value"}
model = PlainNumberSumOk()
