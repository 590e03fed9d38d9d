import math

import torch


class Net(torch.nn.Module):
    """A root that math refuses of a negative number, and the new code too."""

    def forward(self, x):
        return x * math.sqrt(x.sum().item()) + math.log(x.max().item())


inputs = [(torch.ones(3, 2),), (-torch.ones(3, 2),), (torch.zeros(3, 2),)]
# mended: EDB203
