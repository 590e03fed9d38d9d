import torch


class UnregisteredModule(torch.nn.Module):
    """Layers in a Python list are not registered: strict export does not find their parameters."""

    def __init__(self):
        super().__init__()
        self.layers = [torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = UnregisteredModule()
