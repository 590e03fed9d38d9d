import warnings

import torch


class WarningsWarn(torch.nn.Module):
    """`warnings.warn` in forward."""

    def forward(self, x):
        warnings.warn("this layer is slow")
        return x.sin()


example_args = (torch.randn(3, 2),)
tags = {"python.standard-library"}
model = WarningsWarn()
twin = "logger_call_ok"
issues = ("https://github.com/pytorch/pytorch/issues/113792",)
