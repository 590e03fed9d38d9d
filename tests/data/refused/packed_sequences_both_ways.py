"""A bidirectional LSTM over sorted sequences, time first, of which the words' features and the hidden state are used."""

import torch
import torch.nn.utils.rnn as rnn
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(2, 3, bidirectional=True)

    def forward(self, x, lengths):
        x = x * 2
        x = rnn.pack_padded_sequence(x, lengths)
        x, (hidden, _cell) = self.lstm(x)
        x, sizes = rnn.pad_packed_sequence(x, padding_value=-1.0)
        return x.sum(0), hidden, sizes


inputs = [
    (torch.linspace(-1, 2, 24).view(4, 3, 2), torch.tensor([4, 2, 1])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([3, 3, 3])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([2, 1, 1])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([1, 3, 2])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([5, 3, 2])),
]
# refused: 15 packed-sequence, 16 packed-sequence, 17 packed-sequence
