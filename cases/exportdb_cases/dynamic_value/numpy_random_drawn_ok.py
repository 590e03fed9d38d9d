import numpy as np
import torch


class NumpyRandomDrawnOk(torch.nn.Module):
    """An array that numpy draws and evaluation does not use: strict export draws it in the graph, and drops it."""

    def forward(self, x):
        drop = np.random.uniform(0, 1, (2,))
        if self.training and drop.max() < 0.1:
            return x
        return x.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = NumpyRandomDrawnOk().eval()
