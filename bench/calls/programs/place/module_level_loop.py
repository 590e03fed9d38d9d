import torch
from torch import nn
from torch.export import Dim, export


class Unfold(nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel

    def forward(self, x):
        steps = x.shape[-1] // self.kernel
        return torch.stack([x[..., i * self.kernel : (i + 1) * self.kernel] for i in range(steps)])


results = {}
for kernel, dynamic in [(4, None), (4, Dim("t", min=8, max=64)), (2, None)]:
    try:
        export(Unfold(kernel), (torch.randn(2, 16),), dynamic_shapes={"x": {1: dynamic}})
    except Exception:
        results[kernel, bool(dynamic)] = "failed"
    else:
        results[kernel, bool(dynamic)] = "ok"
print(results)
