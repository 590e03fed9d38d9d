"""A temperature that a closure lowers with every call, down to a limit."""

import torch
from torch import nn


def annealer(start=2.0, factor=0.5, least=0.3):

    class Current(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer(
                "value", torch.tensor(start, dtype=torch.float64), persistent=False
            )

        def forward(self):
            # lower, but not to zero
            self.value.copy_(torch.clamp(self.value * factor, min=least))
            return self.value.clone()

    return Current()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.temperature = annealer(factor=0.7)

    def forward(self, x):
        return torch.softmax(self.layer(x) / self.temperature(), -1)


inputs = [(torch.randn(2, 4),)] * 8
# mended: EDB404
