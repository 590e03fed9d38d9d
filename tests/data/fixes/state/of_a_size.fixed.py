"""Running statistics whose size the constructor is given, for an input of which an example tells the sizes."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels=4, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(channels), persistent=False)
        self.register_buffer("square", torch.ones(1, channels), persistent=False)
        self.register_buffer("seen", torch.tensor(0), persistent=False)

    def forward(self, x):
        self.mean.copy_((1 - self.momentum) * self.mean + self.momentum * x.mean(0).detach())
        self.square.copy_((1 - self.momentum) * self.square + self.momentum * (x * x).mean(0, keepdim=True))
        self.seen += x.shape[0]
        return (x - self.mean) / self.square.sqrt() / self.seen


example_args = (torch.randn(6, 4),)
model = Net()
inputs = [(torch.ones(6, 4),), (torch.randn(6, 4),), (torch.zeros(6, 4),)]
# mended: EDB401
