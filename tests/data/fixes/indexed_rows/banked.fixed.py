"""Experts in one tensor, their numbers taken out of the rows of indices; one of them stands for padding."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4, experts=3):
        super().__init__()
        self.num_experts = experts
        self.gate = nn.Linear(width, experts + 1, bias=False)
        self.bank = nn.Parameter(torch.linspace(-1, 1, experts * width * width).view(experts, width, width))

    def forward(self, x):
        scores = self.gate(x).sigmoid()
        selected = scores.argmax(-1)
        out = x * 0.5
        with torch.no_grad():
            mask = F.one_hot(selected, num_classes=self.num_experts + 1)
            mask = mask.permute(1, 0)
            hit = (mask.sum(dim=-1) > 0).nonzero()
        for index in range(mask.shape[0]):
            if index == self.num_experts:
                continue
            (tokens,) = torch.where(mask[index])
            current = F.linear(x[tokens], self.bank[index])
            out[tokens] += current * scores[tokens, selected[tokens], None]
        return out


model = Net()
example_args = (torch.ones(5, 4),)
inputs = [(torch.linspace(-2, 2, 20).view(5, 4).sin(),), (torch.linspace(0, 9, 20).view(5, 4).cos(),), (torch.ones(5, 4),)]
# mended: EDB106
