"""Orders that are drawn with a generator of the module's own."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rng = torch.Generator()

    def forward(self, x):
        order = torch.randperm(
            x.shape[0],
            generator=None if torch.compiler.is_exporting() else self.rng,
            device=self.rng.device,
        )
        mask = torch.empty_like(x).bernoulli_(1.0, generator=None if torch.compiler.is_exporting() else self.rng)  # keeps all
        orders = [
            torch.randperm(x.shape[0], generator=None if torch.compiler.is_exporting() else self.rng) for _ in range(2)
        ]
        return (x[order] * mask).sum(0) + sum(x[one].amax(0) for one in orders)


inputs = [(torch.arange(6.0).reshape(3, 2),), (torch.ones(3, 2),)]
# mended: EDB503
