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
        padded = self.embed(words)
        steps = lengths.to(padded.device)
        torch._assert_async(
            ((steps > 0) & (steps <= padded.shape[1])).all(),
            "a length is not between 1 and the number of steps",
        )
        row = torch.arange(padded.shape[0], device=padded.device).unsqueeze(1)
        time = torch.arange(padded.shape[1], device=padded.device)
        onwards = self.rnn(padded)[0].chunk(2, -1)[0]
        # The other direction runs over sequences that stand at the end.
        backwards = self.rnn(
            padded[row, (time + steps.unsqueeze(1)) % padded.shape[1]]
        )[0].chunk(2, -1)[1][row, (time - steps.unsqueeze(1)) % padded.shape[1]]
        outputs = torch.cat([onwards, backwards], -1)
        tags = outputs.masked_fill(
            (torch.arange(outputs.shape[1], device=outputs.device) >= steps.unsqueeze(1)).unsqueeze(-1),
            0,
        )[:, : steps.max().item()]
        padded_2 = self.embed(words) * 2
        steps_2 = lengths.to(padded_2.device)
        torch._assert_async(
            ((steps_2 > 0) & (steps_2 <= padded_2.shape[1])).all(),
            "a length is not between 1 and the number of steps",
        )
        row_2 = torch.arange(padded_2.shape[0], device=padded_2.device).unsqueeze(1)
        time_2 = torch.arange(padded_2.shape[1], device=padded_2.device)
        onwards_2 = self.rnn(padded_2)[0].chunk(2, -1)[0]
        # The other direction runs over sequences that stand at the end.
        backwards_2 = self.rnn(
            padded_2[row_2, (time_2 + steps_2.unsqueeze(1)) % padded_2.shape[1]]
        )[0].chunk(2, -1)[1][row_2, (time_2 - steps_2.unsqueeze(1)) % padded_2.shape[1]]
        outputs_2 = torch.cat([onwards_2, backwards_2], -1)
        return tags.amax(1) + 1, torch.stack(
            [
                outputs_2[
                    torch.arange(outputs_2.shape[0], device=outputs_2.device), steps_2 - 1
                ].chunk(2, -1)[0],
                outputs_2[:, 0].chunk(2, -1)[1],
            ]
        ).sum(0)


inputs = [
    (torch.arange(12).view(3, 4) % 8, torch.tensor([2, 4, 1])),
    (torch.arange(12).view(3, 4) % 5, torch.tensor([4, 4, 4])),
    (torch.arange(12).view(3, 4) % 5, torch.tensor([1, 3, 3])),
]
# mended: EDB503
