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
        steps_2 = lengths.to(x.device)
        torch._assert_async(
            ((steps_2 > 0) & (steps_2 <= x.shape[1])).all(), "a length is not between 1 and the number of steps"
        )
        part, state = self.encoder(x[:, :1])
        parts = [part]
        for step in range(1, x.shape[1]):
            part, now = self.encoder(x[:, step : step + 1], state)
            parts.append(part)
            going_on = (steps_2 > step).view(1, -1, 1)
            state = tuple([torch.where(going_on, new, old) for new, old in zip(now, state)])
        words = torch.cat(parts, 1)
        (hidden, cell) = state
        words = words.masked_fill(
            (torch.arange(words.shape[1], device=words.device) >= steps_2.unsqueeze(1)).unsqueeze(-1), 0
        )[:, : steps_2.max().item()]
        decoded, _ = self.decoder(x[:, :1], (hidden, cell))
        # Time first from here on.
        padded = x.transpose(0, 1).transpose(0, 1)
        steps_3 = lengths.to(padded.device)
        torch._assert_async(
            ((steps_3 > 0) & (steps_3 <= padded.shape[1])).all(), "a length is not between 1 and the number of steps"
        )
        part_2, state_2 = self.memory(padded[:, :1].transpose(0, 1))
        parts_2 = [part_2]
        for step_2 in range(1, padded.shape[1]):
            part_2, now_2 = self.memory(padded[:, step_2 : step_2 + 1].transpose(0, 1), state_2)
            parts_2.append(part_2)
            going_on_2 = (steps_3 > step_2).view(1, -1, 1)
            state_2 = tuple([torch.where(going_on_2, new, old) for new, old in zip(now_2, state_2)])
        outputs = torch.cat(parts_2).transpose(0, 1)
        cells = state_2[1]
        steps = lengths.to(x.device)
        torch._assert_async(
            ((steps > 0) & (steps <= x.shape[1])).all(), "a length is not between 1 and the number of steps"
        )
        part_3, state_3 = self.layers(x[:, :1].transpose(0, 1))
        parts_3 = [part_3]
        for step_3 in range(1, x.shape[1]):
            part_3, now_3 = self.layers(x[:, step_3 : step_3 + 1].transpose(0, 1), state_3)
            parts_3.append(part_3)
            going_on_3 = (steps > step_3).view(1, -1, 1)
            state_3 = torch.where(going_on_3, now_3, state_3)
        outputs_2 = torch.cat(parts_3).transpose(0, 1)
        states = state_3
        return words.sum(1), decoded, cells, states


inputs = [
    (torch.linspace(-1, 2, 24).view(3, 4, 2), torch.tensor([2, 4, 1])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([4, 4, 4])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([1, 3, 2])),
]
# mended: EDB503
