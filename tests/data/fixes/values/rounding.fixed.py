"""Numbers that are read with float, int and round."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, lengths):
        longest = lengths.max().to(torch.int64).item()
        scale = x.abs().mean().to(torch.float64).item()
        y = x / (scale + 1.0)
        return y * longest, torch.zeros(longest)


inputs = [(torch.ones(2, 3), torch.tensor([2, 4])), (-torch.ones(2, 3), torch.tensor([3, 3]))]
# mended: EDB203
