"""Parts of a dynamic size, as numbers of rows."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        half = x.shape[0] // 2
        kept = x[: x.shape[0] // 4 + 1]
        return x[:half], kept.sum(0), x.narrow(0, 0, x.shape[0] // 2)


inputs = [(torch.arange(24.0).reshape(8, 3),), (torch.arange(15.0).reshape(5, 3),)]
dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}
# mended: EDB304
