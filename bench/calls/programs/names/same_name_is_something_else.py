import torch
from torch import nn


def export(model, args):
    """Not torch's: writes the weights."""
    print("weights:", sum(p.numel() for p in model.parameters()))
    return torch.export.export(model, args, strict=True)


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        y = self.fc(x)
        scale = nn.Parameter(torch.ones(2))
        return y * scale


print(type(torch.export.export(Scaled(), (torch.randn(1, 2),))).__name__)
export(Scaled(), (torch.randn(1, 2),))
