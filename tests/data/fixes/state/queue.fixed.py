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
        self.register_buffer("pointer", torch.tensor(0), persistent=False)
        self.register_buffer("mirrored", torch.tensor(False), persistent=False)

    def forward(self, x):
        q, k = self.query(x), self.key(x)
        logits = q @ self.queue.T
        n = k.shape[0]
        start = self.pointer.clone()
        self.queue[start + torch.arange(n, device=self.queue.device)] = k.detach()
        self.pointer.copy_((self.pointer + n) % self.size)
        self.mirrored.copy_(~self.mirrored)
        logits = torch.where(self.mirrored, logits * 2, logits)
        return logits


inputs = [(torch.randn(2, 4),) for _ in range(5)]
# mended: EDB101 EDB401
