"""An embedding scaled by the root of its width, in a module of its own, and a bound that is asked for."""

import numpy as np
import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.root = float(np.sqrt(width))

    def forward(self, tokens):
        return self.table(tokens) * self.root


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Scaled(11, 6)
        self.bound = np.maximum(2.0, 0.5).item()

    def forward(self, tokens):
        return torch.clamp(self.embed(tokens), max=self.bound)


inputs = [(torch.tensor([[1, 2, 3]]),), (torch.tensor([[10, 0, 5]]),)]
# mended: EDB210
