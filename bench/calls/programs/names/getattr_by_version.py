import torch
from torch import nn


class Smooth(nn.Module):
    def __init__(self, adaptive):
        super().__init__()
        self.adaptive = adaptive

    def forward(self, x):
        if self.adaptive:
            kernel = int(x.std() * 3) | 1
            return nn.functional.avg_pool1d(x, kernel, 1, kernel // 2)
        return nn.functional.avg_pool1d(x, 3, 1, 1)


def pick():
    for name in ("export_for_training", "export"):
        if hasattr(torch.export, name):
            return getattr(torch.export, name)


exporter = pick()
exporter(Smooth(False), (torch.randn(1, 2, 9),))
print("fixed kernel: ok")
exporter(Smooth(True), (torch.randn(1, 2, 9),))
print("adaptive kernel: ok")
