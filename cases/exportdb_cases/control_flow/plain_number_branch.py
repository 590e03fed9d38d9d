import torch


class PlainNumberBranch(torch.nn.Module):
    """A number of a plain tensor that the constructor made: non-strict export reads it, strict export makes a symbol of it."""

    def __init__(self):
        super().__init__()
        self.factor = torch.tensor(2)

    def forward(self, x):
        if self.factor.item() > 1:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = PlainNumberBranch()
