import torch
from torch import nn


class Nearest(nn.Module):
    def forward(self, x, table):
        return table[(x @ table.T).argmax(-1)]


class Debug(Nearest):
    def forward(self, x, table):
        out = super().forward(x, table)
        print("first:", float(out[0, 0].numpy()))
        return out


args = (torch.randn(2, 3), torch.randn(5, 3))
program = torch.onnx.export(Nearest(), args, verbose=False)
print(type(program).__name__)
torch.onnx.export(Debug(), args, verbose=False)
