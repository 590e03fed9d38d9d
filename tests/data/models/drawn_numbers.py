"""Numbers that Python draws on one path alone."""

import random

import torch
from torch import nn


# exportdb: args=([torch.randn(2, 8), torch.randn(2, 8)],)
class Mixing(nn.Module):
    def forward(self, styles, inject_index=None):
        if len(styles) == 1:
            latent = styles[0].unsqueeze(1).repeat(1, 4, 1)
        else:
            if inject_index is None:
                inject_index = random.randint(1, 3)  # non-strict: diverges; strict: fails
            first = styles[0].unsqueeze(1).repeat(1, inject_index, 1)
            second = styles[1].unsqueeze(1).repeat(1, 4 - inject_index, 1)
            latent = torch.cat([first, second], 1)
        return latent
