"""The score of one path through a CRF, its ends weighed by themselves."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, tags=3):
        super().__init__()
        self.transitions = nn.Parameter(torch.arange(9.0).view(tags, tags) / 10)
        self.first = nn.Parameter(torch.linspace(-1, 1, tags))

    def forward(self, emissions, path):
        begin = emissions[0].max() + self.first.mean()
        inner = self.transitions[path[:-1], path[1:]].sum()
        end = emissions[-1].min()
        scores = torch.stack([begin, inner, end])
        return scores.logsumexp(0), scores


path = torch.tensor([0, 2, 1, 1])
inputs = [(torch.ones(4, 3), path), (torch.linspace(-3, 3, 12).view(4, 3), path.flip(0))]
# mended: EDB205
