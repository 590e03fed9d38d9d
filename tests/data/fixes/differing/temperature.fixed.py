"""A sampler's temperature is one of two numbers."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4, words=5):
        super().__init__()
        self.head = nn.Linear(width, words)

    def forward(self, hidden):
        logits = self.head(hidden)
        entropy = -(logits.softmax(-1) * logits.log_softmax(-1)).sum()
        # A flat distribution is sharpened.
        temperature = torch.where(entropy > 3, 0.5, 1.0)
        return (logits / temperature).softmax(-1)


inputs = [(torch.ones(2, 4),), (torch.linspace(-30, 30, 8).view(2, 4),)]
# mended: EDB603
