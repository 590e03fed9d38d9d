"""A part of the rows is kept, the size of which comes in as a fraction."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, ratio=0.5):
        super().__init__()
        self.ratio = ratio

    def forward(self, x, fraction, mask):
        n = x.shape[0]
        keep = int(n * fraction.item())
        back = int((fraction.item() - 1) * 7)  # towards zero
        valid = mask.sum().item()
        few = int(self.ratio * valid)
        return x[:keep].sum(0) + back, x[:few]


x = torch.linspace(-2, 2, 20).view(10, 2)
inputs = [
    (x, torch.tensor(0.5), torch.arange(10) < 7),
    (x.flip(0), torch.tensor(0.29), torch.arange(10) < 4),
    (x, torch.tensor(1.0), torch.arange(10) < 0),
]
# mended: EDB203
