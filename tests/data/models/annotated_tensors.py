"""Parameters that their annotations say to be tensors: `Variable` of old torch, and the shapes of jaxtyping alone."""

from typing import Optional

import torch
from torch import nn
from torch.autograd import Variable


class Shaped:
    """`Float["b n"]` for `jaxtyping.Float[Tensor, "b n"]`, as projects abbreviate it."""

    def __getitem__(self, shape: str):
        return torch.Tensor


Float = Shaped()
Int = Shaped()


def unchecked(function):
    return function


checked = unchecked


# exportdb: args=(torch.randn(2, 3), torch.ones(2, 3, dtype=torch.bool))
class ByVariable(nn.Module):
    def forward(self, x: Variable, mask: Optional[Variable] = None):
        if not all(mask[0]):  # non-strict: fails; strict: fails
            raise ValueError("mask")
        return x * mask


# exportdb: args=(torch.randn(2, 3), torch.tensor([[3, 4]]))
class ByShape(nn.Module):
    @checked
    def forward(self, x: Float["b n"], index: Int["1 n"]):
        count = int(index.amax().item() + 1)  # non-strict: fails
        return x.new_zeros(count, 2)


# exportdb: kwargs={"x": torch.randn(2, 3), "index": torch.tensor([[3, 4]])}
class ByKeyword(nn.Module):
    @checked
    def count(self, *, index: Int["b n"]):
        return int(index.amax().item() + 1)  # non-strict: fails

    def forward(self, *, x: Float["b n"], index: Int["b n"]):
        return x.new_zeros(self.count(index=index), 2)


# exportdb: args=(torch.randn(2, 3),)
class AnyShape(nn.Module):
    def forward(self, x: Float["... n"]):
        return x * 2 if x.ndim > 1 else x
