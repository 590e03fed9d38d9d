"""A convolution takes no signal that is shorter than its kernel."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, kernel_size=7)

    def forward(self, signal):
        return self.conv(signal).mean(-1)


def inputs_of(*lengths):
    return [(torch.linspace(-1, 1, 4 * n).view(2, 2, n),) for n in lengths]


samples = Dim("samples", min=2, max=4096)
dynamic_shapes = {"signal": {2: samples}}
example_args = inputs_of(16)[0]
model = Net()
inputs = inputs_of(16, 8, 40)
# mended: EDB308
