"""A number and a flag have no dimensions, and the last axis is counted from the front."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def forward(self, signal, gain, reverse):
        signal = signal * gain
        return signal.flip(0) if reverse else signal.cumsum(-1)


samples = Dim("samples", max=512)
dynamic_shapes = ({1: samples}, None, None)
model = Net()
example_args = (torch.linspace(-1, 1, 12).view(2, 6), 2.0, False)
inputs = [example_args, (torch.ones(2, 9), 2.0, False)]
# mended: EDB902
