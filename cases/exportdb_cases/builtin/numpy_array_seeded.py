import numpy as np
import torch


class NumpyArraySeeded(torch.nn.Module):
    """An array that numpy draws behind a seed is the same in every call; strict export draws another one in the graph."""

    def forward(self, x):
        np.random.seed(0)
        return x + torch.from_numpy(np.random.rand(2))


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = NumpyArraySeeded()
twin = "numpy_random_seeded_ok"
