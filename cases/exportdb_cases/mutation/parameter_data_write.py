import torch


class ParameterDataWrite(torch.nn.Module):
    """A weight that is scaled in every call through `.data`."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(2, 2))

    def forward(self, x):
        self.weight.data = self.weight.data * 0.5
        return x @ self.weight


example_args = (torch.randn(3, 2),)
tags = {"torch.mutation", "python.object-model"}
model = ParameterDataWrite()
