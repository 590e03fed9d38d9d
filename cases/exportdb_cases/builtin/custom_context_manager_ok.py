from contextlib import contextmanager

import torch


@contextmanager
def scope(scale):
    yield scale * 2


class CustomContextManagerOk(torch.nn.Module):
    """A context manager of one's own that only keeps Python values."""

    def forward(self, x):
        with scope(1.5) as scale:
            return x * scale


example_args = (torch.randn(3, 2),)
tags = {"python.context-manager"}
model = CustomContextManagerOk()
