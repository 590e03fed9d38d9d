"""What is left out where nothing is masked, by an early return."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None):
        if mask is not None:
            if mask.any():  # something is hidden
                return x.masked_fill(mask, 0.0), mask
            return x, mask
        return x, None


model = Net()
x = torch.randn(3, 2)
example_args = (x, x > 0)
inputs = [example_args, (x, x > 100), (x, x < 100)]
# mended: EDB101
