import numpy as np
import torch


class NumpyVectorInt(torch.nn.Module):
    """A number of an array that was made before tracing, read through a tensor."""

    def __init__(self):
        super().__init__()
        self.strides = np.array([2, 4])

    def forward(self, x):
        return x * int(torch.from_numpy(self.strides)[0])


example_args = (torch.randn(3, 2),)
tags = {"torch.dynamic-value", "python.standard-library"}
model = NumpyVectorInt()
twin = "float_of_tensor_ok"
