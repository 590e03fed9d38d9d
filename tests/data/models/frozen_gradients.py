"""Parameters that are fixed: what is computed from them requires no grad."""

import torch
from torch import nn


# exportdb: args=(torch.randn(2, 4, 8),)
class Fixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.scale = nn.Parameter(torch.ones(8), False)
        for parameter in self.layer.parameters():
            parameter.requires_grad = False

    def forward(self, x):
        x = self.layer(x) * self.scale
        return x + torch.zeros(8, requires_grad=x.requires_grad) + torch.zeros(8, requires_grad=self.scale.requires_grad)
