import torch
from torch import nn
from torch.export import export


class Pair(nn.Module):
    def forward(self, a, b=None):
        return a if b is None else a * b


inputs = [torch.randn(3), torch.randn(3)]
print(len(export(Pair(), tuple(inputs)).graph_signature.user_inputs))
inputs.append(torch.randn(3))
try:
    export(Pair(), tuple(inputs))
except Exception as e:
    print(type(e).__name__)
