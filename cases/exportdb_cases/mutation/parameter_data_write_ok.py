import torch


class ParameterDataWriteOk(torch.nn.Module):
    """The normalised weight as a value of the call."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(2, 2))

    def forward(self, x):
        weight = self.weight / self.weight.norm()
        return x @ weight


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "torch.operator"}
model = ParameterDataWriteOk()
