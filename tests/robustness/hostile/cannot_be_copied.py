# expected: ok
"""Refuses deepcopy and pickle, and remembers how often it was built."""

from torch import nn

built = []


# exportdb: args=(torch.randn(2, 3),)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        built.append(1)

    def __deepcopy__(self, memo):
        raise RuntimeError("one of me is enough")

    def forward(self, x):
        return x + 1
