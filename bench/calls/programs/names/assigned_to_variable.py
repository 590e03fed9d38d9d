import torch
from torch import nn


class Top(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, x):
        return x.topk(self.k).values


class Threshold(Top):
    def forward(self, x):
        return x[: int((x > self.k).sum())] if (x > self.k).any() else x


capture = torch.export.export
if not hasattr(torch, "export"):
    capture = torch.jit.script
print(type(capture(Top(2), (torch.rand(5),))).__name__)
print(type(capture(Threshold(0.5), (torch.rand(5),))).__name__)
