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

        rounds = lengths.max()

        def keep_going(t, h, c):
            return t < rounds

        def step(t, h, c):
            alive = (t < lengths).unsqueeze(1)
            new_h, new_c = self.cell(x[:, t.reshape(1)].squeeze(1), (h, c))
            h = torch.where(alive, new_h, h)
            c = torch.where(alive, new_c, c)
            return t + 1, h, c

        t, h, c = torch._higher_order_ops.while_loop(keep_going, step, (torch.zeros_like(rounds), h, c))
        return h, c


example_args = (torch.ones(3, 5, 2), torch.tensor([4, 2, 3]))
model = Net()
inputs = [(torch.linspace(-2, 2, 30).view(3, 5, 2).sin(), torch.tensor(n)) for n in ([4, 2, 3], [1, 1, 1], [5, 0, 2])]
# mended: EDB106
