"""Interactions of the fields of a record: products of all pairs, as a factorisation machine has them."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, fields=4):
        super().__init__()
        self.fields = nn.Parameter(torch.linspace(-1, 1, fields))

    def forward(self, x):
        weighted = x * self.fields
        pairs = weighted[torch.triu_indices(weighted.shape[0], weighted.shape[0], 1, device=weighted.device)].t().contiguous()  # each pair once
        squares = x[torch.triu_indices(x.shape[0], x.shape[0], 0, device=x.device)].t().contiguous()
        return pairs.prod(1).sum() + weighted.sum(), squares.view(2, -1)


inputs = [(torch.arange(4.0),), (-torch.arange(4.0) * 2,)]
# mended: EDB209
