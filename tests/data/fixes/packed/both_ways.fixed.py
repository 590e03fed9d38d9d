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
        padded = x.transpose(0, 1)
        steps = lengths.to(padded.device)
        torch._assert_async(
            ((steps > 0) & (steps <= padded.shape[1])).all(), "a length is not between 1 and the number of steps"
        )
        torch._assert_async((steps[:-1] >= steps[1:]).all(), "the lengths are not sorted in decreasing order")
        row = torch.arange(padded.shape[0], device=padded.device).unsqueeze(1)
        time = torch.arange(padded.shape[1], device=padded.device)
        onwards = self.lstm(padded.transpose(0, 1))[0].transpose(0, 1).chunk(2, -1)[0]
        # The other direction runs over sequences that stand at the end.
        backwards = self.lstm(
            padded[row, (time + steps.unsqueeze(1)) % padded.shape[1]].transpose(0, 1)
        )[0].transpose(0, 1).chunk(2, -1)[1][row, (time - steps.unsqueeze(1)) % padded.shape[1]]
        x = torch.cat([onwards, backwards], -1)
        hidden = torch.stack(
            [x[torch.arange(x.shape[0], device=x.device), steps - 1].chunk(2, -1)[0], x[:, 0].chunk(2, -1)[1]]
        )
        x = x.masked_fill(
            (torch.arange(x.shape[1], device=x.device) >= steps.unsqueeze(1)).unsqueeze(-1), -1.0
        )[:, : steps.max().item()].transpose(0, 1)
        sizes = steps.cpu()
        return x.sum(0), hidden, sizes


inputs = [
    (torch.linspace(-1, 2, 24).view(4, 3, 2), torch.tensor([4, 2, 1])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([3, 3, 3])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([2, 1, 1])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([1, 3, 2])),
    (torch.linspace(3, -1, 24).view(4, 3, 2), torch.tensor([5, 3, 2])),
]
# mended: EDB503
