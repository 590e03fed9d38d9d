import torch
from torch.utils.checkpoint import checkpoint


class Checkpoint(torch.nn.Module):
    """`torch.utils.checkpoint` around a layer."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return checkpoint(self.layer, x, use_reentrant=False)


example_args = (torch.randn(3, 2),)
tags = {"torch.operator"}
model = Checkpoint()
