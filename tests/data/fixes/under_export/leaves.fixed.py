"""Losses that have to require a gradient where nothing was learned."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("zero", torch.zeros(()))

    def forward(self, x):
        loss = (
            self.zero if torch.compiler.is_exporting() else self.zero.requires_grad_()
        )
        scale = torch.tensor(2.0, requires_grad=not torch.compiler.is_exporting())
        y = x.mean()
        if not torch.compiler.is_exporting():
            y.requires_grad_(True)  # for the log
        return loss + y * scale


inputs = [(torch.arange(6.0).reshape(3, 2),), (torch.ones(3, 2),)]
# mended: EDB406
