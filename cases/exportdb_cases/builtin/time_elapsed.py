import time

import torch


class TimeElapsed(torch.nn.Module):
    """Measuring the time of a layer without using the figure."""

    def forward(self, x):
        start = time.perf_counter()
        y = x.sin()
        elapsed = time.perf_counter() - start
        return y


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = TimeElapsed()
twin = "kept_number_ok"
issues = ("https://github.com/pytorch/pytorch/issues/137068",)
