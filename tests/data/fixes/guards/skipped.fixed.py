"""Work that is skipped, in a loop and for the rest of a method, where nothing is selected."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.levels = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x, level):
        out = torch.zeros_like(x)
        for i, layer in enumerate(self.levels):
            mine = level == i
            y = layer(x)
            # nobody
            out[mine] = y[mine]
        return self.clipped(out)

    def clipped(self, x):
        large = x > 0.5
        # The rest.
        x = x.masked_fill(large, 0.5)
        return x


x = torch.randn(4, 3)
inputs = [(x, torch.tensor(level)) for level in ([0, 1, 2, 1], [0, 0, 0, 0], [5, 5, 5, 5])] + [(x * 0, torch.ones(4))]
# mended: EDB101
