"""An image that numpy mirrors."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        array = np.clip(x.numpy(), -1, 1)
        array = np.flip(array, axis=-1).copy()
        turned = np.flip(array, (0, 1)).copy()
        return torch.from_numpy(array), torch.from_numpy(turned)


inputs = [(torch.randn(2, 3),), (torch.randn(2, 3),)]
# mended: EDB204
