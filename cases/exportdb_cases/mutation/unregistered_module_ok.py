import torch


class UnregisteredModuleOk(torch.nn.Module):
    """An nn.ModuleList registers the layers that it holds."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.object-model"}
model = UnregisteredModuleOk()
