"""A gate picks one of two experts; one branch returns, the rest of the function is the other."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(6, 1)
        self.small = nn.Linear(6, 6)
        self.large = nn.Sequential(nn.Linear(6, 24), nn.GELU(), nn.Linear(24, 6))

    def forward(self, tokens, scale=0.5):
        score = self.gate(tokens).mean()
        # Most tokens are easy.
        def true_branch(tokens):  # the small expert will do
            return self.small(tokens) * scale

        def false_branch(tokens):

            # The hard ones get the large expert,
            # and a residual.
            mixed = self.large(tokens)
            return mixed * scale + tokens

        return torch.cond(score > 0, true_branch, false_branch, (tokens,))


inputs = [(torch.ones(4, 6) * s,) for s in (1.0, -1.0, 5.0, -5.0)]
# mended: EDB101
