import numpy as np
import torch


class GeneratorDrawn(torch.nn.Module):
    """A generator of numbers that the module keeps: strict export traces none of its methods, whether the number is used or not."""

    def __init__(self):
        super().__init__()
        self.generator = np.random.default_rng(0)

    def forward(self, x):
        drop = self.generator.random()
        if self.training and drop < 0.1:
            return x
        return x.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = GeneratorDrawn().eval()
twin = "random_drawn_ok"
