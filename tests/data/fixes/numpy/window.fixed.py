"""A window that is chosen by numpy."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, scores, x):
        best = torch.argmax(scores, dim=-1)
        chosen = best
        return torch.nn.functional.one_hot(chosen, 4) @ x


inputs = [
    (torch.tensor([[0.0, 3, 1, 2]]), torch.arange(8).view(4, 2)),
    (torch.tensor([[9.0, 3, 1, 2]]), torch.arange(8).view(4, 2)),
]
# mended: EDB204
