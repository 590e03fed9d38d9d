"""Inputs in a list, as some data loaders hand them out, and a batch that is one input."""

import torch
from torch import nn
from torch.export import export


class Net(nn.Module):
    def forward(self, image, mask):
        return (image * mask).sum(-1)


class Pair(nn.Module):
    def forward(self, batch):
        return batch[0] - batch[1]


image, mask = torch.linspace(-1, 1, 12).view(3, 4), torch.ones(3, 4)
inputs = [(image, mask), (-image, mask * 2)]
exported = export(Net(), [image, mask])
batch = [image, mask]
pair = export(Pair(), batch)
# What was loaded last is kept in a list of its own.
loaded = [image, mask]
again = export(Net(), args=loaded)
# mended: EDB902
