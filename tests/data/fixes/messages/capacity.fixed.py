"""The capacity of a mixture of experts, checked before its buffers are made."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, experts=3, width=4, limit=8):
        super().__init__()
        self.experts = experts
        self.limit = limit
        self.gate = nn.Linear(width, experts)

    def forward(self, tokens):
        expert = self.gate(tokens).argmax(-1)
        load = torch.zeros(self.experts, dtype=torch.int64).index_add(0, expert, torch.ones_like(expert))
        capacity = load.max().item()
        torch._check(capacity >= 1)  # an empty batch
        torch._check(capacity <= self.limit)
        buffers = tokens.new_zeros(self.experts, capacity, tokens.shape[-1])
        return buffers + tokens.mean(), load


dynamic_shapes = {"tokens": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-2, 2, 24).view(6, 4),)
model = Net()
inputs = [(torch.linspace(-2, 2, 24).view(6, 4),), (torch.ones(10, 4),), (-torch.ones(5, 4),)]
# mended: EDB107
