import torch
from torch import nn
from torch.export import export


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        if torch.is_grad_enabled():
            noise = float(torch.randn(()))
            return self.fc(x) * noise if noise > 0 else self.fc(x)
        return self.fc(x).argmax(-1)


@torch.no_grad()
def convert(model):
    return export(model.eval(), (torch.randn(2, 4),))


print(convert(Actor()).module()(torch.randn(2, 4)).dtype)
