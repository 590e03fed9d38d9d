import torch
from torch import nn
from torch.export import export

model = nn.Linear(4, 2)
x = torch.randn(3, 4)
try:
    export(model, x)
    print("a tensor is enough")
except Exception as e:
    print("a tuple is needed:", type(e).__name__)
    export(model, (x,))
    print("ok")
