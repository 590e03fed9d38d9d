import functools

import torch
from torch import nn


class Mean(nn.Module):
    def forward(self, x):
        return x.mean(0)


def skip_empty(forward):
    @functools.wraps(forward)
    def wrapper(x):
        if x.count_nonzero() == 0:
            return torch.zeros(x.shape[1])
        return forward(x)

    return wrapper


model = Mean()
torch.export.export(model, (torch.randn(3, 2),))
print("plain ok")
model.forward = skip_empty(model.forward)
torch.export.export(model, (torch.randn(3, 2),))
print("wrapped ok")
