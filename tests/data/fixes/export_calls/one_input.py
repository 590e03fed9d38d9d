"""One input is still a tuple of inputs."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x, scale=None):
        y = torch.tanh(self.layer(x))
        return y if scale is None else y * scale


torch.manual_seed(0)
inputs = [(torch.linspace(-1, k, 6).view(2, 3),) for k in (1.0, 2.0)]
sample = inputs[0][0]
exported = torch.export.export(
    Net().eval(),
    sample,  # of two rows
    strict=False,
)
# mended: EDB902
