"""An annotated list that the constructor appends to, read by number, by slice and in an enumeration."""

import torch


class Net(torch.nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers: torch.nn.ModuleList = torch.nn.ModuleList()
        for _ in range(depth):
            self.layers.append(torch.nn.Linear(4, 4))

    def forward(self, x):
        for i, layer in enumerate(self.layers[:-1]):
            x = torch.relu(layer(x)) * (i + 1)
        return self.layers[-1](x) / len(self.layers)


example_args = (torch.randn(3, 4),)
model = Net()
inputs = [(torch.randn(3, 4),) for _ in range(3)]
# mended: EDB408
