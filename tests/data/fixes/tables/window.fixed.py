"""A window over the frames of a signal, from the middle of a longer one."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, longest=32):
        super().__init__()
        self.window = torch.nn.Parameter(torch.hann_window(longest), requires_grad=False)

    def forward(self, signal):
        energy = signal.square().mean(-1, keepdim=True)
        signal = signal / (energy + 1e-5).sqrt()
        windowed = signal * self.window[: signal.shape[1]]
        return windowed.square().sum(-1), windowed.cumsum(-1)


dynamic_shapes = ({1: Dim.DYNAMIC(min=4)},)
example_args = (torch.linspace(-1, 1, 20).view(2, 10),)
model = Net()
inputs = [(torch.linspace(-1, 1, 2 * n).view(2, n),) for n in (10, 16, 31)]
# mended: EDB305
