"""Interactions of the fields of a record: products of all pairs, as a factorisation machine has them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, fields=4):
        super().__init__()
        self.fields = nn.Parameter(torch.linspace(-1, 1, fields))

    def forward(self, x):
        weighted = x * self.fields
        pairs = torch.combinations(weighted)  # each pair once
        squares = torch.combinations(x, r=2, with_replacement=True)
        return pairs.prod(1).sum() + weighted.sum(), squares.view(2, -1)


inputs = [(torch.arange(4.0),), (-torch.arange(4.0) * 2,)]
# refused: 14 reads-data, 15 reads-data
