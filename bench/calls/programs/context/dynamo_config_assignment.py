import numpy as np
import torch
import torch._dynamo
from torch import nn
from torch.export import export

torch._dynamo.config.trace_numpy = True


class Window(nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.hanning(8) * x.numpy())


x = torch.randn(5, 8, dtype=torch.float64)
export(Window(), (x,), strict=True)
print("numpy traced")
with torch._dynamo.config.patch(trace_numpy=False):
    export(Window(), (x,), strict=True)
print("numpy not traced")
