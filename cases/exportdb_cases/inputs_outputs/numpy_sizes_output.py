import numpy as np
import torch


class NumpySizesOutput(torch.nn.Module):
    """The output has an array of NumPy that no tensor was converted to."""

    def forward(self, x):
        return x * 2, np.array([0.5, 0.25])


example_args = (torch.randn(3),)
tags = {"python.data-structure"}
model = NumpySizesOutput()
twin = "numpy_output_ok"
