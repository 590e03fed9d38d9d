from functools import partial

import torch
from torch import nn
from torch.export import Dim, export

AXIS = {"x": {0: Dim("batch")}}
export_strict = partial(export, strict=True)
export_dynamic = partial(export, dynamic_shapes=AXIS)


class Debias(nn.Module):
    def __init__(self, rows):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(rows, 2))

    def forward(self, x):
        assert x.sum() > -1e9
        return x - self.mean


x = torch.randn(3, 2)
print(len(export_strict(Debias(3), (x,)).graph_signature.parameters))
for call in (export_dynamic, partial(export_strict, dynamic_shapes=AXIS)):
    try:
        call(Debias(3), (x,))
    except Exception as e:
        print(type(e).__name__)
