"""A queue of the last means, and the change since the last call."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", torch.zeros(()))
        self.register_buffer("means", torch.zeros(4))

    def forward(self, x):
        mean = x.mean()
        pair = torch.stack((self.last, mean))
        self.last = mean.detach()
        means = torch.cat([self.means[1:], mean.detach().reshape(1)])
        self.means = means
        return (x - means.mean()) * pair.diff()


inputs = [(torch.randn(2, 5),), (torch.ones(2, 5),)]
# mended: EDB401
