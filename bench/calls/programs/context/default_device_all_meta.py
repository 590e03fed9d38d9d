import torch
from torch import nn
from torch.export import Dim, export


class Positions(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        return self.fc(x) + torch.arange(float(x.shape[-1]))


# Too large for this machine: only shapes are needed.
with torch.device("meta"):
    model = Positions(100_000)
    ep = export(model, (torch.randn(3, 100_000),), dynamic_shapes=({0: Dim("n")},))
print(ep.module().fc.weight.device)
