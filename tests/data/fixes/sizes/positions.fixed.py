"""A table of positions that no input may be longer than."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, vocabulary=9, positions=12, width=4):
        super().__init__()
        self.limit = positions
        self.words = nn.Embedding(vocabulary, width)

    def forward(self, ids):
        if ids.shape[1] > self.limit:
            raise ValueError(f"at most {self.limit} positions")
        place = torch.arange(ids.shape[1], device=ids.device)
        return self.words(ids) + torch.sin(place / self.limit)[:, None]


length = Dim("length", max=12)
dynamic_shapes = {"ids": {1: length}}
example_args = (torch.tensor([[1, 2, 3, 4]]),)
model = Net()
inputs = [(torch.tensor([[1, 2, 3, 4]]),), (torch.tensor([[0, 8, 3]]),), (torch.arange(9).view(1, 9),)]
# mended: EDB302
