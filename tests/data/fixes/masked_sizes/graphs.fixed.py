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
        sizes_2 = torch.cat([sizes[:-1], h.shape[0] - sizes[:-1].sum(dim=0, keepdim=True)])
        length = sizes_2.max().item()
        kept = torch.arange(length, device=sizes_2.device) < sizes_2.unsqueeze(1)
        dense = h.new_full((sizes_2.shape[0], length, *h.shape[1:]), 0).index_put((kept,), h)
        return dense.sum(1) / sizes.unsqueeze(1)


nodes = torch.linspace(-2, 2, 24).view(8, 3)
inputs = [(nodes, torch.tensor([4, 3, 1])), (nodes.sin(), torch.tensor([2, 2, 4])), (nodes, torch.tensor([1, 1, 6]))]
# mended: EDB208
