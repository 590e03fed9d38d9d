"""A tagger whose layer is called where its result is taken apart, and padded again where it is used."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(8, 2)
        self.rnn = nn.GRU(2, 3, 1, bidirectional=True, batch_first=True)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.embed(words), lengths, batch_first=True, enforce_sorted=False)
        tags = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)[0]
        again = pack_padded_sequence(self.embed(words) * 2, lengths.cpu().tolist(), True, False)
        return tags.amax(1) + 1, self.rnn(again)[1].sum(0)


inputs = [
    (torch.arange(12).view(3, 4) % 8, torch.tensor([2, 4, 1])),
    (torch.arange(12).view(3, 4) % 5, torch.tensor([4, 4, 4])),
    (torch.arange(12).view(3, 4) % 5, torch.tensor([1, 3, 3])),
]
# refused: 15 packed-sequence, 16 packed-sequence, 17 packed-sequence, 18 packed-sequence
