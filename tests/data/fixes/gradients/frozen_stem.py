"""A stem that stays as it was trained, and activations that are taken out of memory before the head runs."""

import gc

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.ReLU())
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        self.stem.requires_grad_(False)
        hidden = self.stem(x)
        pooled = hidden.mean(dim=0)
        gc.collect()
        return self.head(pooled)


inputs = [(torch.linspace(-1, 1, 12).view(3, 4),), (torch.linspace(2, -2, 12).view(3, 4),)]
# mended: EDB406 EDB503
