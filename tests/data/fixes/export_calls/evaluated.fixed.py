"""Dropout and batch norm are to be off, which is said too late."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.Dropout(0.5))

    def forward(self, x):
        return self.layers(x) + x


torch.manual_seed(0)
inputs = [(torch.linspace(-1, k, 6).view(2, 3),) for k in (1.0, 2.0)]
model = Net()
exported = torch.export.export(model.eval(), inputs[0])
# for inference
# mended: EDB903
