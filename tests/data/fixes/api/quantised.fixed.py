"""A program is captured for quantisation, as torch 2.1 to 2.6 did it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))

    def forward(self, x):
        return self.body(x).softmax(-1)


torch.manual_seed(0)
inputs = [(torch.linspace(-1, k, 8).view(2, 4),) for k in (1.0, 2.0)]
# To be quantised next.
exported = torch.export.export(Net().eval(), inputs[0]).module()
# mended: EDB901
