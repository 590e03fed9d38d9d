import math

import torch


class Net(torch.nn.Module):
    """A norm and an entropy by way of Python's own functions."""

    def forward(self, x):
        energy = (x * x).sum().item()
        # as the paper has it
        norm = math.sqrt(energy)
        bits = math.log2(energy + 1) + math.tanh(x.mean().item())
        return x / (norm + 1e-6) * bits


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2) * 5,), (torch.zeros(3, 2),)]
# mended: EDB203
