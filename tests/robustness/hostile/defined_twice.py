# expected: ok
"""Has two classes of one name: the second is the one that counts."""

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def forward(self, x):
        raise RuntimeError("the first")


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):  # noqa: F811
    def forward(self, x):
        return x + 1
