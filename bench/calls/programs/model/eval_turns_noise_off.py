import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        if self.training:
            ratio = torch.rand(()).item()
            if ratio > 0.5:
                x = x * ratio
        return self.fc(x)


def load():
    m = Masked()
    for p in m.parameters():
        p.requires_grad_(False)
    return m.train(mode=False)


model = load()
torch.export.export(model, (torch.randn(2, 4),))
print("exported")
