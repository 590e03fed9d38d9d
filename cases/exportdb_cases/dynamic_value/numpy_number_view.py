import numpy as np
import torch


class NumpyNumberView(torch.nn.Module):
    """A number from a numpy function as a size of a view: strict export makes an unbacked SymInt of it, and loses it in the
    view, where the other sizes say what it is."""

    def forward(self, x):
        return x.view(x.size(0), np.prod(x.size()[1:]))


example_args = (torch.randn(2, 3, 6),)
tags = {"torch.dynamic-value"}
model = NumpyNumberView()
