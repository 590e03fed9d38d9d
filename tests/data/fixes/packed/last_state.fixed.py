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
        steps = lengths.to(x.device)
        torch._assert_async(
            ((steps > 0) & (steps <= x.shape[1])).all(),
            "a length is not between 1 and the number of steps",
        )
        outputs = self.rnn(x.transpose(0, 1), state)[0].transpose(0, 1)
        hidden = outputs[torch.arange(outputs.shape[0], device=outputs.device), steps - 1].unsqueeze(0)
        return hidden[-1] * 2


inputs = [
    (torch.linspace(-1, 2, 24).view(3, 4, 2), torch.tensor([2, 4, 1])),
    (torch.linspace(3, -1, 24).view(3, 4, 2), torch.tensor([4, 4, 4])),
]
# mended: EDB503
