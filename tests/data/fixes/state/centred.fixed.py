"""A centre of the features that the first batch sets, and later ones move."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=4, momentum=0.9):
        super().__init__()
        self.encode = nn.Linear(size, 3)
        self.momentum = momentum
        self.register_buffer("center", torch.zeros(3), persistent=False)
        self.register_buffer("has_center", torch.tensor(False), persistent=False)

    def _update(self, z):
        batch = z.detach().mean(0)

        def true_branch(batch):
            center = self.center.clone()
            center.copy_(self.momentum * center + (1 - self.momentum) * batch)
            return center, self.has_center.clone()

        def false_branch(batch):
            center = self.center.clone()
            has_center = self.has_center.clone()
            # the first batch
            center.copy_(batch)
            has_center.fill_(True)
            return center, has_center

        center, has_center = torch.cond(
            self.has_center, true_branch, false_branch, (batch,)
        )
        self.center.copy_(center.detach())
        self.has_center.copy_(has_center)

    def forward(self, x):
        z = self.encode(x)
        self._update(z)
        return z - self.center


example_args = (torch.randn(2, 4),)
model = Net()
inputs = [(torch.randn(2, 4),) for _ in range(4)]
# mended: EDB101 EDB401
