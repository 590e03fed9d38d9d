"""One of two views of the same features, by what they hold."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.norm = nn.LayerNorm(width)

    def forward(self, features):
        x = self.norm(features) * features.sum()
        chosen = torch.cond(
            features.amax() > 1,
            lambda x: x[:, :3].clone(memory_format=torch.contiguous_format),
            lambda x: x.view(2, 2, 3)[:, 1].clone(
                memory_format=torch.contiguous_format
            ),
            (x,),
        )
        # The first half, or the second.
        return chosen.tanh()


inputs = [(torch.linspace(-1, k, 12).view(2, 6),) for k in (3.0, 0.5)]
# mended: EDB601
