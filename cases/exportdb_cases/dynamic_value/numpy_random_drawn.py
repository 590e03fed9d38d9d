import numpy as np
import torch


class NumpyRandomDrawn(torch.nn.Module):
    """A number that numpy draws although evaluation uses none: strict export draws it in the graph and asks for its value."""

    def forward(self, x):
        drop = np.random.uniform(0, 1)
        if self.training and drop < 0.1:
            return x
        return x.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = NumpyRandomDrawn().eval()
