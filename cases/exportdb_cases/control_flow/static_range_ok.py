import torch


class StaticRangeOk(torch.nn.Module):
    """A loop over a number that the module knows is unrolled."""

    def __init__(self):
        super().__init__()
        self.steps = 3

    def forward(self, x):
        for _ in range(self.steps):
            x = x * 2
        return x


example_args = (torch.randn(3, 2),)
tags = {"python.control-flow"}
model = StaticRangeOk()
