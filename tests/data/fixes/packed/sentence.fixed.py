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
        steps = lengths.to(x.device)
        torch._assert_async(
            ((steps > 0) & (steps <= x.shape[1])).all(),
            "a length is not between 1 and the number of steps",
        )
        output = self.encoder(x)[0]
        hidden = output[
            torch.arange(output.shape[0], device=output.device), steps - 1
        ].unsqueeze(0)
        output = output.masked_fill(
            (
                torch.arange(output.shape[1], device=output.device) >= steps.unsqueeze(1)
            ).unsqueeze(-1),
            0,
        )
        return self.score(output).squeeze(-1), hidden[-1]


inputs = [
    (torch.linspace(-1, 2, 24).view(3, 4, 2), torch.tensor([2, 4, 1])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([4, 4, 4])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([1, 1, 2])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([1, 0, 2])),
]
# mended: EDB503
