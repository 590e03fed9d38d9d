"""Audio and rows that are cut or padded to one length."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, length=8):
        super().__init__()
        self.length = length
        self.head = nn.Linear(8, 2)

    def cut_or_pad(self, x):
        n = x.shape[-1]
        # one length for all
        if n < self.length:
            x = F.pad(x, (0, self.length - n), value=1.0)
        else:
            x = x[..., : self.length]
        return x

    def six(self, x):
        if x.size(1) >= 6:
            x = x[:, :6]
        elif x.size(1) < 6:
            x = F.pad(x, (0, 6 - x.size(1)))
        return x

    def forward(self, x):
        y = self.cut_or_pad(x)
        return self.head(y), self.six(x)


example_args = (torch.linspace(-1, 1, 21).view(3, 7),)
inputs = [(torch.linspace(-1, 1, 3 * n).view(3, n),) for n in (7, 12, 3, 8, 6)]
dynamic_shapes = ({1: Dim("n", min=2)},)
# mended: EDB302
