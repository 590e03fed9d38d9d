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
        with torch.no_grad():
            self.loc.copy_(-x.mean(0))
        with torch.no_grad():
            self.scale.copy_(1 / (x.std(0) + 1e-6))
        self.initialized.fill_(1)
        return x

    def _noop(self, x):
        return x

    def forward(self, x):
        def init(x):
            loc = self.loc.clone()
            scale = self.scale.clone()
            initialized = self.initialized.clone()
            with torch.no_grad():
                loc.copy_(-x.mean(0))
            with torch.no_grad():
                scale.copy_(1 / (x.std(0) + 1e-6))
            initialized.fill_(1)
            return x.clone(), loc, scale, initialized

        def noop(x):
            return x.clone(), self.loc.clone(), self.scale.clone(), self.initialized.clone()

        x, loc, scale, initialized = torch.cond(self.initialized == 0, init, noop, (x,))
        self.initialized.copy_(initialized)
        with torch.no_grad():
            self.loc.copy_(loc)
            self.scale.copy_(scale)
        return self.scale * (x + self.loc)


inputs = [(torch.randn(6, 4) * 3 + 1,), (torch.randn(6, 4),)]
# mended: EDB201 EDB601 EDB604
