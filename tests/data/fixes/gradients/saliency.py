"""The gradients of two feature maps are kept, for a picture of what the scores rest on."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(1, 3, 3, padding=1)
        self.second = nn.Conv1d(3, 2, 3, padding=1)
        self.watching = True

    def forward(self, x):
        low = self.first(x).relu()
        low.retain_grad()
        high = self.second(low)
        if self.watching:
            high.retain_grad()
        return high.amax(dim=-1)


inputs = [(torch.linspace(-1, 1, 5).view(1, 1, 5),), (torch.linspace(3, -1, 5).view(1, 1, 5),)]
# mended: EDB406
