import torch


class PlainNumberBranchOk(torch.nn.Module):
    """The number is read in the constructor."""

    def __init__(self):
        super().__init__()
        self.factor = torch.tensor(2).item()

    def forward(self, x):
        if self.factor > 1:
            return x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.control-flow"}
model = PlainNumberBranchOk()
