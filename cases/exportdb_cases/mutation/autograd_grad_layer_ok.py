import torch


class AutogradGradLayerOk(torch.nn.Module):
    """The gradient of a linear layer, written out by hand, is its weight."""

    def __init__(self):
        super().__init__()
        self.energy = torch.nn.Linear(2, 1)

    def forward(self, x):
        return x - self.energy.weight


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = AutogradGradLayerOk()
