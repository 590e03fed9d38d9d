"""A step counter that scales the output; reset in another method."""

from torch import nn
import torch


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.register_buffer("steps", torch.tensor(0), persistent=False)  # calls so far

    def reset(self):
        self.steps.fill_(0)

    def forward(self, x):
        # One more call.
        self.steps += 1
        return self.lin(x) * self.steps + self.steps % 2


inputs = [(torch.ones(2, 3),)] * 3
# mended: EDB401
