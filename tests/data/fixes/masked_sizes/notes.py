"""Notes of a score, padded with the number for silence."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, notes, counts):
        parts = torch.split(notes, counts.tolist())  # one for each bar
        bars = nn.utils.rnn.pad_sequence(parts, batch_first=True, padding_value=-100)
        return bars, (bars != -100).sum(1)


notes = torch.arange(60, 69)
inputs = [(notes, torch.tensor([2, 3, 4])), (notes, torch.tensor([1, 8, 0])), (notes.flip(0), torch.tensor([3, 3, 3]))]
# mended: EDB208
