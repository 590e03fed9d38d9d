"""An image must be made of whole blocks."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.AvgPool2d(2)

    def forward(self, image):
        if image.shape[-2] % 4 != 0 or image.shape[-1] % 4 != 0:
            raise ValueError("the image is not made of whole blocks")
        return self.pool(image)


high = 4 * Dim("_high", max=16)
wide = 4 * Dim("_wide", max=16)
dynamic_shapes = ({2: high, 3: wide},)
example_args = (torch.ones(1, 3, 8, 12),)
model = Net()
inputs = [(torch.linspace(-1, 1, 3 * h * w).view(1, 3, h, w),) for h, w in ((8, 12), (16, 8), (12, 20))]
# mended: EDB302
