import torch
from torch import nn
from torch.export import export

from .layers import Scale

model = nn.Sequential(nn.Linear(2, 2), Scale())
export(model, (torch.randn(3, 2),))
model[1].by_value = True
try:
    export(model, (torch.randn(3, 2),))
    print("both export")
except Exception:
    print("the second does not export")
