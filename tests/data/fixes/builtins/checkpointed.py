"""Layers whose activations are computed again in the backward pass, to save memory."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))
        self.register_buffer("calls", torch.zeros(1))

    def scaled(self, x, scale, *, shift=0.0):
        self.calls.add_(1)
        return x * scale + shift

    def forward(self, x):
        for layer in self.layers:
            # memory
            x = checkpoint(layer, x, use_reentrant=False)  # one layer
        x = x + torch.utils.checkpoint.checkpoint(lambda y: y.sin(), x, use_reentrant=False)
        return checkpoint(self.scaled, x, 2.0, shift=1.0, use_reentrant=False, preserve_rng_state=False)


inputs = [(torch.arange(6.0).reshape(2, 3),), (torch.ones(2, 3),)]
# mended: EDB503
