import numpy as np
import torch


class NumpyRandomSeeded(torch.nn.Module):
    """A number that numpy draws behind a seed is the same in every call; strict export draws it in the graph."""

    def forward(self, x):
        np.random.seed(0)
        return x + float(np.random.rand())


example_args = (torch.randn(3, 2),)
tags = {"python.builtin"}
model = NumpyRandomSeeded()
twin = "numpy_random_seeded_ok"
