"""Scores of the marked pairs are added up, one by one."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(4, 8)
        self.right = nn.Linear(4, 8)

    def forward(self, x, threshold):
        scores = self.left(x) @ self.right(x).T
        loss = x.new_zeros(())
        for pair in (scores > threshold).nonzero():
            loss = loss + torch.exp(-scores[pair[0], pair[1]]) * 0.5
        return scores, loss


inputs = [(torch.randn(5, 4), torch.tensor(0.0)), (torch.randn(5, 4), torch.tensor(99.0)), (torch.ones(5, 4), torch.tensor(-99.0))]  # fmt: skip
# refused: 16 untraceable
