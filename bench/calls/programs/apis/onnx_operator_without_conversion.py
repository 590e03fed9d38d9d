import torch
from torch import nn


class Spectrum(nn.Module):
    def forward(self, x):
        return torch.linalg.eigvals(x).abs()


x = torch.randn(3, 3)
program = torch.export.export(Spectrum(), (x,))
print("exported:", len(program.graph.nodes))
try:
    torch.onnx.export(Spectrum(), (x,), "spectrum.onnx", dynamo=True, verbose=False)
except Exception as e:
    print("not convertible:", type(e).__name__)
