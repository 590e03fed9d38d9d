import torch


class SharedParameterOk(torch.nn.Module):
    """Two layers that share a parameter."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(2, 2, bias=False)
        self.second = torch.nn.Linear(2, 2, bias=False)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.second(self.first(x))


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = SharedParameterOk()
