import torch
from torch import nn

net = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(8, 10),
).eval()

ep = torch.export.export(net, (torch.randn(2, 3, 16, 16),))
out = ep.module()(torch.randn(2, 3, 16, 16))
print(tuple(out.shape))
