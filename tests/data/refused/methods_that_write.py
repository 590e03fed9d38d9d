"""A layer that is scaled by the first batch, by methods as branches."""

import torch
from torch import nn


class Net(nn.Module):
    """Scales by what the first batch says."""

    def __init__(self, c=4):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(c), requires_grad=False)
        self.scale = nn.Parameter(torch.ones(c), requires_grad=False)
        self.register_buffer("initialized", torch.tensor(0, dtype=torch.uint8))

    def _init(self, x):
        self.loc.data.copy_(-x.mean(0))
        self.scale.data.copy_(1 / (x.std(0) + 1e-6))
        self.initialized.fill_(1)
        return x

    def _noop(self, x):
        return x

    def forward(self, x):
        x = torch.cond(self.initialized == 0, self._init, self._noop, (x,))
        return self.scale * (x + self.loc)


inputs = [(torch.randn(6, 4) * 3 + 1,), (torch.randn(6, 4),)]
# refused: 26 defined-elsewhere
