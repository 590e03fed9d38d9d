"""Masks that are given up where nothing is padded, before work that an empty mask does not change."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, x, pad, hidden):
        # the faster path
        if hidden is not None:
            x = x * (1 - hidden.unsqueeze(-1).type_as(x))
            x = x + hidden.float().unsqueeze(-1) * -10.0
        return self.attention(x, x, x, key_padding_mask=pad)[0]


x = torch.linspace(-1, 1, 24).view(2, 3, 4)
some, none = torch.tensor([[False, False, True], [False, True, True]]), torch.zeros(2, 3, dtype=torch.bool)
model = Net()
example_args = (x, some, ~some)
inputs = [(x, some, other) for some in (some, none) for other in (~some, none.clone())]
# mended: EDB101
