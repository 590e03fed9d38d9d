from typing import List

import torch


def centre(x, dims: List[int]):
    return x - x.mean(dim=dims, keepdim=True)


def centre_all(x):
    dims: List[int] = list(range(1, len(x.shape)))
    return centre(x, dims)


class Net(torch.nn.Module):
    """Dimensions that are counted by a tensor, and used in another function, or in a longer list; of what a function gives that
    the caller chose."""

    def __init__(self, activation=None):
        super().__init__()
        self.activation = activation

    def forward(self, x, y):
        if self.activation is not None:
            y = self.activation(y)
        axes = list(range(2, len(y.shape)))
        axes = [0] + axes
        return centre_all(x), torch.sum(y, axes)


inputs = [(torch.arange(24.0).view(2, 3, 4), torch.ones(2, 3, 4)), (torch.ones(2, 3, 4), torch.zeros(2, 3, 4))]
# mended: EDB206
