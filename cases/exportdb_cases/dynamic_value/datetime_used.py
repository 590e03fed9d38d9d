import datetime

import torch


class DatetimeUsed(torch.nn.Module):
    """The moment at which the model was traced stays in the graph."""

    def forward(self, x):
        return x * datetime.datetime.now().microsecond


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = DatetimeUsed()
twin = "kept_number_ok"
issues = ("https://github.com/pytorch/pytorch/issues/125171",)
