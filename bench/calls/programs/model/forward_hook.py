import torch
from torch import nn


def clip(module, args, output):
    if output.abs().max() > 3:
        return output.clamp(-3, 3)
    return output


net = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
handles = [layer.register_forward_hook(clip) for layer in net]
try:
    torch.export.export(net, (torch.randn(2, 4),))
except Exception as e:
    print("with hooks:", type(e).__name__)
for handle in handles:
    handle.remove()
ep = torch.export.export(net, (torch.randn(2, 4),))
print("without:", ep.module()(torch.randn(2, 4)).shape)
