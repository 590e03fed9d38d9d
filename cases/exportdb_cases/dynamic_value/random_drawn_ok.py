import random

import torch


class RandomDrawnOk(torch.nn.Module):
    """A number that is drawn in training alone: evaluation does not come to the call."""

    def forward(self, x):
        if self.training and random.uniform(0, 1) < 0.1:
            return x
        return x.relu()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = RandomDrawnOk().eval()
