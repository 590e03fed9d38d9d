import torch


class FeaturesLookedUpOk(torch.nn.Module):
    """Features that a method stores in a dict which is empty at first, and that are only looked up behind it."""

    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])
        self.features = {}

    def keep(self, position, value):
        self.features[position] = value

    def forward(self, x):
        for position, layer in enumerate(self.layers):
            x = layer(x).relu()
            self.keep(position, x)
        return torch.stack([self.features[position] for position in (0, 2)])


example_args = (torch.randn(3, 2),)
tags = {"python.object-model", "python.data-structure"}
model = FeaturesLookedUpOk()
