"""Each phoneme is repeated as long as it lasts, as a model of speech says."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, durations):
        out = []
        for i, row in enumerate(x):
            size = durations[i].long().item()
            out.append(row.expand(max(size, 0), -1))
        return torch.cat(out, 0)


inputs = [(torch.randn(3, 4), torch.tensor([2.5, 1.0, 3.2])), (torch.randn(3, 4), torch.tensor([1.0, 2.9, 5.0]))]
# mended: EDB203
