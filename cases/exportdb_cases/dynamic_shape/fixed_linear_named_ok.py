import torch


class FixedLinearNamedOk(torch.nn.Module):
    """A named Dim on the rows that a linear layer is given."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 3)

    def forward(self, x):
        return self.linear(x)


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows"), 1: None}}
tags = {"torch.dynamic-shape"}
model = FixedLinearNamedOk()
