"""Sequences that lie one behind the other are padded to one length."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Net(nn.Module):
    def forward(self, flat, lengths):
        doubled = flat * 2
        # One part for each sequence.
        parts = torch.split(doubled, lengths.tolist())
        padded = pad_sequence(parts, batch_first=True, padding_value=-1.0)
        sizes = lengths.tolist()
        by_time = nn.utils.rnn.pad_sequence(flat.split(sizes))
        ends = torch.cumsum(lengths, dim=0)
        chunks = torch.tensor_split(flat, ends[:-1])
        last = pad_sequence(list(chunks), True)
        return padded.sum(dim=1), by_time, last


flat = torch.linspace(-1, 1, 18).view(9, 2)
inputs = [(flat, torch.tensor([4, 3, 2])), (flat, torch.tensor([1, 8, 0])), (flat.flip(0), torch.tensor([3, 3, 3]))]
# mended: EDB208
