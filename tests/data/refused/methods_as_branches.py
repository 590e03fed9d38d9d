"""Methods as branches, of which one takes a bias that may be None and hands out what it was given."""

import torch
from torch import nn


class Net(nn.Module):
    """Fuses audio into video where the audio is loud."""

    def __init__(self, d=5):
        super().__init__()
        self.a = nn.Linear(d, d)
        self.g = nn.Linear(2 * d, d)

    def fuse(self, v, a, bias):
        a = self.a(a)
        if bias is not None:
            a = a + bias
        gate = torch.sigmoid(self.g(torch.cat([v, a], -1)))
        return v + gate * a, gate

    def skip(self, v, a, bias):
        # no copy needed here
        return v, v.new_zeros(1).expand_as(v)

    def forward(self, v, a, bias=None):
        loud = a.abs().mean() > 0.5
        out, gate = torch.cond(loud, self.fuse, self.skip, (v, a, bias))
        return out * 2, gate


inputs = [(torch.full((3, 5), 0.1), torch.full((3, 5), 0.1)), (torch.randn(3, 5), torch.full((3, 5), 3.0))]
# refused: 28 type-unknown, 28 unknown-form
