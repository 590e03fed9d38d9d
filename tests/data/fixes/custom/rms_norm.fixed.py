"""A norm that is registered as an operator, with a residual."""

import torch
from torch import nn


@torch.library.custom_op("exportdb_programs::rms_norm", mutates_args=())
def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    variance = x.pow(2).mean(-1, keepdim=True)
    scaled = x * torch.rsqrt(variance + eps)
    # One weight a channel.
    return scaled * weight


@rms_norm.register_fake
def _(x: torch.Tensor, weight: torch.Tensor, eps: float):
    variance = x.pow(2).mean(-1, keepdim=True)
    scaled = x * torch.rsqrt(variance + eps)
    # One weight a channel.
    return scaled * weight


class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(0.5, 1.5, width))
        self.project = nn.Linear(width, width)

    def forward(self, x):
        return x + self.project(rms_norm(x, self.weight, 1e-6))


inputs = [(torch.linspace(-1, k, 8).view(2, 4),) for k in (1.0, 4.0)]
# mended: EDB801
