"""The forward algorithm of a CRF, whose score is added to in place behind the loop."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, num_tags=4):
        super().__init__()
        self.start = nn.Parameter(torch.randn(num_tags))
        self.end = nn.Parameter(torch.randn(num_tags))
        self.transitions = nn.Parameter(torch.randn(num_tags, num_tags))

    def forward(self, emissions, mask):
        # emissions: (seq, batch, tags)
        seq_length = emissions.size(0)
        score = self.start + emissions[0]
        for i in range(1, seq_length):
            broadcast_score = score.unsqueeze(2)
            broadcast_emissions = emissions[i].unsqueeze(1)
            next_score = broadcast_score + self.transitions + broadcast_emissions
            next_score = torch.logsumexp(next_score, dim=1)
            score = torch.where(mask[i].unsqueeze(1), next_score, score)
        score += self.end
        return torch.logsumexp(score, dim=1)


dynamic_shapes = {"emissions": {0: torch.export.Dim.DYNAMIC}, "mask": {0: torch.export.Dim.DYNAMIC}}
example_args = (torch.randn(5, 2, 4), torch.ones(5, 2, dtype=torch.bool))
model = Net()
inputs = [
    (torch.linspace(-2, 3, 8 * n).view(n, 2, 4), torch.arange(n)[:, None].expand(n, 2) < last)
    for n, last in ((5, 5), (4, 2))
]
# mended: EDB303
