"""Progress bars around the steps of a sampler."""

import torch
from torch import nn
from tqdm import tqdm, trange


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("sigmas", torch.linspace(1.0, 0.1, 4))
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        for sigma in self.sigmas if torch.compiler.is_exporting() else tqdm(self.sigmas, desc="steps", disable=True):  # from noise
            x = x - sigma * self.layer(x)
        for index, scale in enumerate([0.5, 2.0] if torch.compiler.is_exporting() else tqdm([0.5, 2.0], disable=True)):
            x = x * scale + index
        for step in range(1, 7, 2) if torch.compiler.is_exporting() else trange(1, 7, 2, disable=True):
            x = x + step
        parts = [x * k for k in (range(3) if torch.compiler.is_exporting() else tqdm(range(3), total=3, disable=True))]
        return torch.stack(parts).sum(0)


inputs = [(torch.arange(6.0).reshape(3, 2),), (torch.ones(3, 2),)]
# mended: EDB503
