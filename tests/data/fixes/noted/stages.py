"""What each stage gives is collected in a list and a dict, whichever way it was computed."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.skip = nn.Linear(4, 4)

    def forward(self, x):
        outs = []
        named = {}
        for stage in self.stages:
            h = stage(x)
            if h.mean() > 0:
                # a strong answer
                outs.append(h.relu())
                x = x + h
            elif h.amax() > 1:
                outs.append(h.tanh())
                x = x * 2
            else:
                outs.append(self.skip(x))
        if x.sum() > 0:
            named["last"] = x * 2
        else:
            named["last"] = x - 1
        return torch.cat(outs, -1), named["last"] * 1.5


inputs = [(torch.ones(2, 4) * s,) for s in (1.0, -1.0, 5.0, -5.0, 0.0)]
# mended: EDB101
