"""Scores of long sequences are damped, those of short ones are not."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, trained=6, width=4):
        super().__init__()
        self.trained = trained
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)

    def forward(self, tokens):
        scores = self.query(tokens) @ self.key(tokens).transpose(-1, -2)
        # Beyond what it was trained on the softmax flattens.
        def true_branch(scores):
            scores = scores * 0.5
            return scores

        def false_branch(scores):
            return scores.clone()

        scores = torch.cond(
            tokens.shape[1] > self.trained, true_branch, false_branch, (scores,)
        )
        return scores.softmax(-1) @ tokens


dynamic_shapes = {"tokens": {1: torch.export.Dim.DYNAMIC}}
example_args = (torch.linspace(-1, 1, 40).view(2, 5, 4),)
model = Net()
inputs = [(torch.linspace(-1, 1, 8 * n).view(2, n, 4),) for n in (5, 9, 6, 7)]
# mended: EDB302
