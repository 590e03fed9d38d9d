"""A check that raises while a model is trained, and warns otherwise."""

import warnings

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x.log1p()
        if not torch.compiler.is_exporting() and (
            torch.isnan(y).any() or torch.isinf(y).any()
        ):
            if torch.is_grad_enabled():
                raise ValueError("NaN or Inf in the logarithms")
            else:
                warnings.warn("NaN or Inf in the logarithms")
        return y


inputs = [(torch.arange(3.0),), (torch.ones(3),)]
# mended: EDB101
