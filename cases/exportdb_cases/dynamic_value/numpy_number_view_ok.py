import numpy as np
import torch


class NumpyNumberViewOk(torch.nn.Module):
    """The same number as an int, and beside a size that is left open."""

    def forward(self, x):
        return x.view(x.size(0), int(np.prod(x.size()[1:]))) + x.view(-1, np.prod(x.size()[1:]))


example_args = (torch.randn(2, 3, 6),)
tags = {"torch.dynamic-value"}
model = NumpyNumberViewOk()
