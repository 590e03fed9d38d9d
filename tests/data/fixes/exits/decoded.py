"""Greedy decoding until all are done, into a tensor that is filled step by step."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, vocab=10, d=8, max_len=6, eos=1):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.cell = nn.GRUCell(d, d)
        self.out = nn.Linear(d, vocab)
        self.max_len = max_len
        self.eos = eos

    def forward(self, h):
        tokens = torch.full((h.shape[0], self.max_len), self.eos, dtype=torch.long)
        token = torch.zeros(h.shape[0], dtype=torch.long)
        done = torch.zeros(h.shape[0], dtype=torch.bool)
        step = 0
        while step < self.max_len and not done.all():
            h = self.cell(self.embed(token), h)
            token = self.out(h).argmax(dim=-1)
            tokens[:, step] = torch.where(done, self.eos, token)
            done = done | (token == self.eos)
            step += 1
        return tokens


model = Net()
example_args = (torch.ones(2, 8),)
inputs = [(torch.linspace(-2, 3, 16).view(2, 8) * scale,) for scale in (1.0, 5.0, -5.0)]
# mended: EDB101
