"""An image that numpy mirrors."""

import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        array = torch.clamp(x, -1, 1)
        array = array.flip(-1).clone()
        turned = array.flip((0, 1)).clone()
        return array, turned


inputs = [(torch.randn(2, 3),), (torch.randn(2, 3),)]
# mended: EDB204
