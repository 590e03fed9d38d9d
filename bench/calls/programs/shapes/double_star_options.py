import torch
from torch.export import Dim, export


class Window(torch.nn.Module):
    def forward(self, signal):
        return signal * torch.hann_window(64)


b, t = Dim("b"), Dim("t", min=16, max=256)
options = dict(dynamic_shapes={"signal": {0: b, 1: t}}, strict=False)
args = (torch.randn(3, 64),)
ep = export(Window(), args, **options)
print(ep.graph_signature)
