"""What must be a distribution is asserted to be one."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, weights, values):
        torch._assert_async((weights >= 0).all(), "negative weight")
        weights = weights / weights.sum(-1, keepdim=True)
        # Rows that were empty are nan now.
        torch._assert_async(~weights.isnan().any())
        return weights @ values


values = torch.arange(6.0).view(3, 2)
inputs = [
    (torch.tensor([[1.0, 2.0, 3.0]]), values),
    (torch.tensor([[1.0, -2.0, 3.0]]), values),
    (torch.tensor([[0.0, 0.0, 0.0]]), values),
]
# mended: EDB102
