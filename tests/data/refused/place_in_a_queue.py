"""A queue of keys that is written round and round, and a choice that alternates."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=4, size=6):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.register_buffer("queue", torch.zeros(size, dim))
        self.size = size
        self.pointer = 0
        self.mirrored = False

    def forward(self, x):
        q, k = self.query(x), self.key(x)
        logits = q @ self.queue.T
        n = k.shape[0]
        start = self.pointer
        self.queue[start : start + n] = k.detach()
        self.pointer = (self.pointer + n) % self.size
        self.mirrored = not self.mirrored
        if self.mirrored:
            logits = logits * 2
        return logits


inputs = [(torch.randn(2, 4),) for _ in range(5)]
# refused: 23 python-number, 24 python-number
