"""Padding to a multiple, with the amount computed under the guard."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, window=4):
        super().__init__()
        self.window = window
        self.conv = nn.Conv1d(3, 3, 3, padding=1)

    def forward(self, x):
        n = x.shape[-1]
        # The windows are full.
        pad = -n % self.window  # missing
        x = F.pad(x, (0, pad))
        y = self.conv(x)
        m = y.shape[-1] + 3
        gap = m % 5
        left = gap // 2
        y = F.pad(y, (left, gap - left), mode="reflect")
        return y, x.shape[-1] - pad


inputs = [(torch.linspace(-1, 1, 3 * n).view(1, 3, n),) for n in (10, 8, 11, 17)]
example_args = inputs[0]
dynamic_shapes = ({2: Dim.DYNAMIC},)
# mended: EDB302
