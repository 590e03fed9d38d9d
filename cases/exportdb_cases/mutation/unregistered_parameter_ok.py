import torch


class UnregisteredParameterOk(torch.nn.Module):
    """An nn.ParameterDict registers the parameters that it holds."""

    def __init__(self):
        super().__init__()
        self.scales = torch.nn.ParameterDict(
            {"a": torch.nn.Parameter(torch.ones(2)), "b": torch.nn.Parameter(torch.full((2,), 0.5))}
        )

    def forward(self, x):
        return x * self.scales["a"] + self.scales["b"]


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = UnregisteredParameterOk()
