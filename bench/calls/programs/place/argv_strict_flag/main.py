import sys

import torch
from torch import nn


class Trainable(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        h = self.fc(x).detach()
        h.requires_grad_(True)
        return h * 2


strict = len(sys.argv) > 1 and sys.argv[1] == "strict"
print("strict:", strict)
ep = torch.export.export(Trainable(), (torch.randn(1, 3),), strict=strict)
print("exported")
