"""Layers in lists and tuples: displays, a sum of lists, a local list that a loop fills."""

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, size, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers += [nn.Linear(size, size), nn.ReLU()]
        self.layers = layers  # one after the other
        self.norms = (nn.LayerNorm(size), nn.LayerNorm(size))

    def forward(self, x):
        x = self.norms[0](x)
        for layer in self.layers:
            x = layer(x)
        return self.norms[1](x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = [Block(4, 2)] + [Block(4, 1)]

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


example_args = (torch.randn(3, 4),)
model = Net()
inputs = [(torch.randn(3, 4),) for _ in range(3)]
# mended: EDB408
