import numpy as np
import torch


class NumpyUntranslatedOfTensor(torch.nn.Module):
    """A function of numpy that torch does not translate, of a tensor."""

    def forward(self, x):
        return torch.from_numpy(np.interp(x, [0.0, 1.0], [2.0, 4.0]))


example_args = (torch.randn(2, 6),)
tags = {"torch.dynamic-value"}
model = NumpyUntranslatedOfTensor()
twin = "numpy_untranslated_ok"
