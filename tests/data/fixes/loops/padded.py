"""As many steps as the longest sequence of the batch has; those that have ended keep their state."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.cell = nn.LSTMCell(2, width)
        self.width = width

    @torch.no_grad()
    def forward(self, x, lengths):
        h = x.new_zeros(x.shape[0], self.width)
        c = x.new_zeros(x.shape[0], self.width)
        for t in range(lengths.max().item()):
            alive = (t < lengths).unsqueeze(1)
            new_h, new_c = self.cell(x[:, t], (h, c))
            h = torch.where(alive, new_h, h)
            c = torch.where(alive, new_c, c)
        return h, c


example_args = (torch.ones(3, 5, 2), torch.tensor([4, 2, 3]))
model = Net()
inputs = [(torch.linspace(-2, 2, 30).view(3, 5, 2).sin(), torch.tensor(n)) for n in ([4, 2, 3], [1, 1, 1], [5, 0, 2])]
# mended: EDB106
