"""Notes of a score, padded with the number for silence."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, notes, counts):
        parts = torch.split(notes, counts.tolist())  # one for each bar
        length = counts.max().item()
        kept = torch.arange(length, device=counts.device) < counts.unsqueeze(1)
        bars = notes.new_full((counts.shape[0], length, *notes.shape[1:]), -100).index_put((kept,), notes)
        return bars, (bars != -100).sum(1)


notes = torch.arange(60, 69)
inputs = [(notes, torch.tensor([2, 3, 4])), (notes, torch.tensor([1, 8, 0])), (notes.flip(0), torch.tensor([3, 3, 3]))]
# mended: EDB208
