import random

import torch


class RandomDrawn(torch.nn.Module):
    """A number that Python draws although evaluation uses none: strict export rejects the call itself."""

    def forward(self, x):
        drop = random.uniform(0, 1)
        if self.training and drop < 0.1:
            return x
        return x.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = RandomDrawn().eval()
