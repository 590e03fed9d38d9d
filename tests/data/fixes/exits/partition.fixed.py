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

        rounds = torch.tensor(seq_length)

        def keep_going(i, score):
            return i < rounds

        def step(i, score):
            broadcast_score = score.unsqueeze(2)
            broadcast_emissions = emissions[i.reshape(1)].squeeze(0).unsqueeze(1)
            next_score = broadcast_score + self.transitions + broadcast_emissions
            next_score = torch.logsumexp(next_score, dim=1)
            score = torch.where(mask[i.reshape(1)].squeeze(0).unsqueeze(1), next_score, score)
            return i + 1, score

        i, score = torch._higher_order_ops.while_loop(
            keep_going, step, (torch.full_like(rounds, 1), score)
        )
        score = score.clone()
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
