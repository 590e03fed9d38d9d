import warnings

import torch
from torch import nn
from torch.export import export


class Legacy(nn.Module):
    def forward(self, x, mask=None):
        if mask is None:
            warnings.warn("mask will be required", DeprecationWarning, stacklevel=2)
            mask = torch.ones_like(x)
        return x * mask


args = (torch.randn(3),)
export(Legacy(), args)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        export(Legacy(), args)
    except DeprecationWarning as w:
        print("not exported:", w)
