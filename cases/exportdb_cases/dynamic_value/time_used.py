import time

import torch


class TimeUsed(torch.nn.Module):
    """The time of tracing becomes a constant of the graph."""

    def forward(self, x):
        return x + time.perf_counter() % 1


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library", "torch.dynamic-value"}
model = TimeUsed()
twin = "kept_number_ok"
issues = ("https://github.com/pytorch/pytorch/issues/125171",)
