"""An encoder that hands both states of its two layers on to a decoder, and one whose cell state is read by itself."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.LSTM(2, 3, num_layers=2, batch_first=True)
        self.decoder = nn.LSTM(2, 3, num_layers=2, batch_first=True)
        self.memory = nn.LSTM(2, 3)
        self.layers = nn.GRU(2, 3, 2)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        words, (hidden, cell) = self.encoder(packed)
        words, _ = pad_packed_sequence(words, batch_first=True)
        decoded, _ = self.decoder(x[:, :1], (hidden, cell))
        # Time first from here on.
        steps = pack_padded_sequence(x.transpose(0, 1), lengths, enforce_sorted=False)
        cells = self.memory(steps)[1][1]
        again = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, states = self.layers(again)
        return words.sum(1), decoded, cells, states


inputs = [
    (torch.linspace(-1, 2, 24).view(3, 4, 2), torch.tensor([2, 4, 1])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([4, 4, 4])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([1, 3, 2])),
]
# refused: 17 packed-sequence, 18 packed-sequence, 19 packed-sequence, 22 packed-sequence, 23 packed-sequence, 24 packed-sequence, 25 packed-sequence
