"""The rows that a gate marks go through an expert, the others stay."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 1)
        self.expert = nn.Linear(4, 4)

    def forward(self, x):
        chosen = self.gate(x).squeeze(-1) > 0
        out = x.clone()
        for i in torch.where(chosen)[0]:
            row = x[i]
            out[i] = self.expert(row).relu() + row
        return out


inputs = [(torch.randn(6, 4),), (torch.zeros(6, 4),), (torch.randn(6, 4) * 9,)]
# refused: 16 untraceable
