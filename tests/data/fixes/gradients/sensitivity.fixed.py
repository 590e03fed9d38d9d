"""How sensitive the scores are to each cell of a small board."""

import torch
from torch import nn


# exportdb: args=(torch.ones(2, 3),)
class Net(nn.Module):
    def forward(self, board):
        warmed = board * 2
        sensitivity = torch.stack(
            [
                torch.func.jvp(
                    lambda cells: cells.flatten().softmax(0), (warmed,), (direction,)
                )[1]
                for direction in torch.eye(
                    warmed.numel(), dtype=warmed.dtype, device=warmed.device
                ).reshape(-1, *warmed.shape)
            ],
            -1,
        ).unflatten(-1, warmed.shape)
        return sensitivity.abs().amax(0), sensitivity


inputs = [(torch.linspace(-1, 1, 6).view(2, 3),), (torch.linspace(2, -1, 6).view(2, 3),)]
# mended: EDB406
