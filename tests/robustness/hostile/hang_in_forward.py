# expected: timeout
"""Never comes back from forward."""

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        while True:
            pass
