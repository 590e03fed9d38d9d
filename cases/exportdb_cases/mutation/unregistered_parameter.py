import torch


class UnregisteredParameter(torch.nn.Module):
    """Parameters in a Python dict are not registered: strict export does not find them."""

    def __init__(self):
        super().__init__()
        self.scales = {"a": torch.nn.Parameter(torch.ones(2)), "b": torch.nn.Parameter(torch.full((2,), 0.5))}

    def forward(self, x):
        return x * self.scales["a"] + self.scales["b"]


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = UnregisteredParameter()
