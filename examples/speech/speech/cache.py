"""What was heard so far: a buffer that chunks are appended to, and attention over it."""

import torch
from torch import nn


# exportdb: args=(torch.randn(3, 16),) constructor=StreamingCache(16, capacity=64)
class StreamingCache(nn.Module):
    def __init__(self, width, capacity):
        super().__init__()
        self.capacity = capacity
        self.register_buffer("store", torch.zeros(capacity, width))
        self.register_buffer("used", torch.zeros((), dtype=torch.int64))

    def forward(self, chunk):
        size = chunk.shape[0]
        if self.used + size > self.capacity:
            raise RuntimeError("the cache is full: reset it")
        rows = self.used + torch.arange(size, device=chunk.device)
        self.store.index_copy_(0, rows, chunk)
        self.used += size
        scores = chunk @ self.store.T
        heard = torch.arange(self.capacity, device=chunk.device) < self.used
        weights = torch.softmax(scores.masked_fill(~heard, float("-inf")), dim=-1)
        return weights @ self.store
