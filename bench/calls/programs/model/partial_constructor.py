from functools import partial

import torch
from torch import nn
from torch.export import Dim, export


class Conv(nn.Module):
    def __init__(self, cin, cout, causal=False):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 3, padding=1)
        self.causal = causal

    def forward(self, x):
        y = self.conv(x)
        if self.causal:
            y = y * torch.tril(torch.ones(20, 20))[-1]
        return y


CausalConv = partial(Conv, causal=True)
x = torch.randn(2, 4, 20)
shapes = {"x": {2: Dim("t", min=4, max=99)}}
print(export(Conv(4, 4), (x,), dynamic_shapes=shapes).module()(torch.randn(2, 4, 30)).shape)
export(CausalConv(4, 4), (x,), dynamic_shapes=shapes)
