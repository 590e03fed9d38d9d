import pickle

import torch


class PickleCache(torch.nn.Module):
    """A cache keyed by pickled settings."""

    def __init__(self):
        super().__init__()
        self.cache = {pickle.dumps((2, 3)): 0.5}

    def forward(self, x):
        return x * self.cache[pickle.dumps((2, 3))]


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = PickleCache()
twin = "dictionary"
