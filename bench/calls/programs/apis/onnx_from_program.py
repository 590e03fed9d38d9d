import torch
from torch import nn


class Norm(nn.Module):
    def forward(self, x):
        if x.shape[0] % 2:
            return x
        return x.unflatten(0, (-1, 2)).sum(1)


program = torch.export.export(Norm(), (torch.randn(4, 3),))
onnx_program = torch.onnx.export(program, dynamo=True, verbose=False)
print(type(onnx_program).__name__)
try:
    torch.export.export(Norm(), (torch.randn(4, 3),), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},))
    print("dynamic")
except Exception as e:
    print(type(e).__name__)
