"""An iteration to a fixed point, and one that stops when all rows are done: what follows the exit is cheap."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        z = torch.zeros_like(x)
        for _ in range(4):
            # one step
            new = torch.tanh(self.lin(z) + x)
            if torch.norm(new - z) < 0.3:
                break
            z = new
        finished = torch.zeros(x.shape[0], dtype=torch.bool)
        for _ in range(3):
            token = self.lin(x).argmax(-1)
            finished = finished | (token == 2)
            if finished.all():
                break
            x = x + token[:, None].to(x.dtype)
        return z, x


inputs = [(torch.linspace(-1, 1, 6).view(2, 3) * a,) for a in (1.0, -3.0, 0.01)]
# mended: EDB101
