"""Tokens as they come, until all sentences of the batch have ended; a step that is not taken leaves none."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, vocab=7, width=4, most=4, end=1):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, vocab)
        self.most, self.end = most, end

    def forward(self, memory, bias):
        token = torch.zeros(memory.shape[0], dtype=torch.long)
        ended = torch.zeros(memory.shape[0], dtype=torch.bool)
        h = memory
        tokens, scores = [], [h.mean(-1)]
        for _ in range(self.most):
            h = self.cell(self.embed(token), h)
            logits = self.out(h) + bias
            token = torch.where(ended, torch.full_like(token, self.end), logits.argmax(-1))
            tokens.append(token)  # padded where it has ended
            scores.append(logits.logsumexp(-1))
            ended = ended | (token == self.end)
            if ended.all():
                break
        return torch.stack(tokens, dim=1), torch.stack(scores)


model = Net()
inputs = [
    (torch.linspace(-2, 2, 8).view(2, 4), torch.tensor([0.0, k, 0, 0, 0, 0, 0])) for k in (-9.0, 9.0, 0.3, 0.0)
]
# mended: EDB101
