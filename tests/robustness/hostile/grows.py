# expected: out-of-memory
"""Asks for ever more memory, in small pieces."""

from torch import nn


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = []
        while True:
            self.kept.append(bytearray(b"x" * 10**7))

    def forward(self, x):
        return x
