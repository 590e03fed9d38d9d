import torch


class GeneratorExpressionOk(torch.nn.Module):
    """A generator expression over layers is unrolled."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))

    def forward(self, x):
        return sum(layer(x) for layer in self.layers)


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = GeneratorExpressionOk()
