from typing import List

import torch


def centre(x, dims: List[int]):
    return x - x.mean(dim=dims, keepdim=True)


def centre_all(x):
    dims: List[int] = torch.arange(1, len(x.shape)).tolist()
    return centre(x, dims)


class Net(torch.nn.Module):
    """Dimensions that are counted by a tensor, and used in another function, or in a longer list."""

    def forward(self, x, y):
        axes = torch.arange(2, len(y.shape)).tolist()
        axes = [0] + axes
        return centre_all(x), y.sum(axes)


inputs = [(torch.arange(24.0).view(2, 3, 4), torch.ones(2, 3, 4)), (torch.ones(2, 3, 4), torch.zeros(2, 3, 4))]
# mended: EDB206
