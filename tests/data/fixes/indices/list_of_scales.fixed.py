"""A scale from a list that a tensor picks."""

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x, level: torch.Tensor):
        scales = [0.5, 1.0, 2.0]
        return x * torch.tensor(
            scales, device=level.device
        )[level.reshape(1)].squeeze(0)


inputs = [(torch.ones(3), torch.tensor(0)), (torch.ones(3), torch.tensor(2))]
# mended: EDB206
