import numpy as np
import torch


class NumpyGenerator(torch.nn.Module):
    """A seeded generator draws the same numbers in every call; strict export does not trace how it is made."""

    def forward(self, x):
        generator = np.random.default_rng(7)
        return x * float(generator.random())


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = NumpyGenerator()
twin = "random_used_ok"
