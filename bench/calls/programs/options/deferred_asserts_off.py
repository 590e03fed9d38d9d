import torch
from torch import nn
from torch.export import Dim, export


class PixelUnshuffle(nn.Module):
    def forward(self, x):
        b, h, w = x.shape
        return x.reshape(b, h // 2, 2, w // 2, 2).permute(0, 2, 4, 1, 3)


x = torch.randn(2, 8, 8)
extra = {"prefer_deferred_runtime_asserts_over_guards": torch.__version__ < "2.5"}
shapes = {"x": {1: Dim("h", min=4, max=64), 2: Dim("w", min=4, max=64)}}
ep = export(PixelUnshuffle(), (x,), dynamic_shapes=shapes, **extra)
print(ep.module()(torch.randn(2, 6, 10)).shape)
