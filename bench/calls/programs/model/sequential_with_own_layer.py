import torch
from torch import nn


class DropEmptyRows(nn.Module):
    def forward(self, x):
        keep = x.abs().sum(-1) > 0
        if keep.all():
            return x
        return x[keep]


layers = [nn.Linear(6, 6)]
for _ in range(2):
    layers += [nn.ReLU(), nn.Linear(6, 6)]
layers.insert(3, DropEmptyRows())
net = nn.Sequential(*layers)
torch.export.export(net, (torch.randn(4, 6),))
