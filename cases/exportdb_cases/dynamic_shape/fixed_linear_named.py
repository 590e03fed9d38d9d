import torch


class FixedLinearNamed(torch.nn.Module):
    """A named Dim on the features of a linear layer, which has weights for one number of them."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 3)

    def forward(self, x):
        return self.linear(x)


example_args = (torch.randn(4, 6),)
dynamic_shapes = {"x": {0: torch.export.Dim("rows"), 1: torch.export.Dim("features")}}
tags = {"torch.dynamic-shape"}
model = FixedLinearNamed()
twin = "fixed_linear_named_ok"
