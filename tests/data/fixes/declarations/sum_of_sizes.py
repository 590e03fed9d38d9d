"""Two parts that are 12 rows together: no named Dim can say that, so both are left to the guards."""

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weights", torch.linspace(0.0, 1.0, 12).view(12, 1))

    def forward(self, first, second):
        return torch.cat([first, second]) * self.weights


dynamic_shapes = ({0: Dim("first", max=10)}, {0: Dim("second")})
example_args = (torch.ones(5, 4), torch.ones(7, 4))
model = Net()
inputs = [(torch.ones(n, 4), torch.full((12 - n, 4), 0.5)) for n in (5, 3, 9)]
# mended: EDB308
