"""A temperature that is read from a buffer."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("temperature", torch.tensor(2.0))
        self.register_buffer("offset", torch.tensor(3))

    def forward(self, logits):
        temperature = self.temperature.item()
        return torch.softmax(logits / temperature, -1) + self.offset.item()


inputs = [(torch.arange(6.0).view(2, 3),), (-torch.arange(6.0).view(2, 3),)]
# mended: EDB203
