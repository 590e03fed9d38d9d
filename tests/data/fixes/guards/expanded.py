"""A learned row in the place of each token that stands for an image."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(8, 3)
        self.image = nn.Parameter(torch.randn(1, 3))

    def forward(self, ids):
        found = self.embedding(ids)
        special = ids == 5
        count = special.sum().item()
        if count > 0:
            found[special] = self.image.expand(count, -1)
        return found


inputs = [(torch.tensor([[1, 5, 2, 5]]),), (torch.tensor([[1, 2, 3, 4]]),)]
# mended: EDB103
