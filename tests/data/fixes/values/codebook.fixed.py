"""A vector quantiser that looks entries up in a copy of its codebook, scaled as it likes."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, entries=4, width=3):
        super().__init__()
        self.register_buffer("codebook", torch.linspace(-2, 2, entries * width).view(entries, width))

    def forward(self, z):
        codes = self.codebook.clone()
        codes *= 0.5  # the copy only
        distances = torch.cdist(z, codes)
        index = distances.argmin(-1)
        straight = z + (codes[index] - z).detach()
        kept = straight.clone()
        straight[0] = 0
        return straight, kept, index, self.codebook.sum()


inputs = [(torch.ones(2, 3),), (torch.linspace(-1, 1, 6).view(2, 3),)]
# mended: EDB207
