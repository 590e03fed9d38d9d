import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, by_value=False):
        super().__init__()
        self.by_value = by_value

    def forward(self, x):
        if self.by_value:
            return x / max(1.0, float(x.amax()))
        return x / torch.clamp(x.amax(), min=1.0)
