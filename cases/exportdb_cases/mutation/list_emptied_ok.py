import torch


class ListEmptiedOk(torch.nn.Module):
    """A list of features on the module that every call leaves empty, as the constructor made it."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)])
        self.features = []

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            self.features.append(x)
        result = torch.stack(self.features)
        self.features = []
        return result


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.data-structure"}
model = ListEmptiedOk()
