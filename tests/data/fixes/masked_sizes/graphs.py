"""Nodes of several graphs become a dense batch."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Net(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.node = nn.Linear(dim, dim)

    def forward(self, nodes, sizes):
        h = self.node(nodes).relu()
        graphs = torch.tensor_split(h, torch.cumsum(sizes, dim=0)[:-1])
        dense = pad_sequence(list(graphs), batch_first=True)
        return dense.sum(1) / sizes.unsqueeze(1)


nodes = torch.linspace(-2, 2, 24).view(8, 3)
inputs = [(nodes, torch.tensor([4, 3, 1])), (nodes.sin(), torch.tensor([2, 2, 4])), (nodes, torch.tensor([1, 1, 6]))]
# mended: EDB208
