"""A sentence encoder over packed word vectors: what it says of each word, and its last state."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Net(nn.Module):
    def __init__(self, width=2, hidden=3):
        super().__init__()
        self.encoder = nn.GRU(width, hidden, batch_first=True)
        self.score = nn.Linear(hidden, 1)

    def forward(self, x, lengths):
        # The lengths must be on the CPU here.
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
        output, hidden = self.encoder(packed)
        output, _ = pad_packed_sequence(output, batch_first=True, total_length=x.size(1))
        return self.score(output).squeeze(-1), hidden[-1]


inputs = [
    (torch.linspace(-1, 2, 24).view(3, 4, 2), torch.tensor([2, 4, 1])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([4, 4, 4])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([1, 1, 2])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([1, 0, 2])),
]
# refused: 16 packed-sequence, 17 packed-sequence, 18 packed-sequence
