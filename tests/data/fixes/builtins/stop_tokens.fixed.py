"""A sampler that ends when every sequence of the batch has said a stop token."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, vocabulary=6):
        super().__init__()
        self.stop = 0
        self.embed = nn.Embedding(vocabulary, 4)
        self.head = nn.Linear(4, vocabulary)

    def forward(self, first, second):
        ended = torch.stack(
            [(sequence == self.stop).any() for sequence in (first, second)]
        ).all()
        logits = self.head(self.embed(torch.stack([first[-1], second[-1]])))
        # Nothing but the stop token may follow.
        logits = torch.where(ended, torch.full_like(logits, -1e4), logits)
        return logits.softmax(-1)


going, over = torch.tensor([3, 1, 2]), torch.tensor([4, 0, 5])
inputs = [(going, over), (over, going), (over, over), (going, going)]
# mended: EDB101 EDB105
