"""Sequences that lie one behind the other are padded to one length."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Net(nn.Module):
    def forward(self, flat, lengths):
        doubled = flat * 2
        # One part for each sequence.
        length = lengths.max().item()
        kept = torch.arange(length, device=lengths.device) < lengths.unsqueeze(1)
        padded = doubled.new_full((lengths.shape[0], length, *doubled.shape[1:]), -1.0).index_put((kept,), doubled)
        length_2 = lengths.max().item()
        kept_2 = torch.arange(length_2, device=lengths.device) < lengths.unsqueeze(1)
        by_time = flat.new_full(
            (lengths.shape[0], length_2, *flat.shape[1:]), 0
        ).index_put((kept_2,), flat).transpose(0, 1)
        ends = torch.cumsum(lengths, dim=0)
        sizes = torch.cat([lengths[:-1], flat.shape[0] - lengths[:-1].sum(dim=0, keepdim=True)])
        length_3 = sizes.max().item()
        kept_3 = torch.arange(length_3, device=sizes.device) < sizes.unsqueeze(1)
        last = flat.new_full((sizes.shape[0], length_3, *flat.shape[1:]), 0).index_put((kept_3,), flat)
        return padded.sum(dim=1), by_time, last


flat = torch.linspace(-1, 1, 18).view(9, 2)
inputs = [(flat, torch.tensor([4, 3, 2])), (flat, torch.tensor([1, 8, 0])), (flat.flip(0), torch.tensor([3, 3, 3]))]
# mended: EDB208
