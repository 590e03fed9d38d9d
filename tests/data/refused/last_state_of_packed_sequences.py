"""The last state of two layers, from a state that is given, over what is packed in the call itself."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(2, 3, num_layers=2)
        self.start = nn.Parameter(torch.zeros(2, 1, 3))

    def forward(self, x, lengths):
        state = self.start.expand(-1, x.shape[0], -1).contiguous()
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, hidden = self.rnn(packed, state)
        return hidden[-1] * 2


inputs = [
    (torch.linspace(-1, 2, 24).view(3, 4, 2), torch.tensor([2, 4, 1])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([4, 4, 4])),
]
# refused: 15 packed-sequence, 16 packed-sequence
